#include "kube/server.h"

#include <cstdlib>

#include <gtest/gtest.h>

namespace berth::kube {
namespace {

Status kubectl(const std::filesystem::path& kubeconfig, std::vector<std::string> arguments) {
  std::vector<std::string> command = {std::getenv("BERTH_KUBECTL"), "--kubeconfig",
                                      kubeconfig.string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run(command);
}

TEST(Server, KeepsItsDataOverAKillAndKnowsWhoMayDoWhat) {
  auto started = Server::start();
  ASSERT_TRUE(started.ok()) << started.error().message;
  Server& server = **started;
  ASSERT_TRUE(kubectl(server.kubeconfig(), {"create", "namespace", "kept"}).ok());

  const auto stranger = server.kubeconfig_for({.name = "stranger", .group = "nobody"});
  ASSERT_TRUE(stranger.ok());
  EXPECT_FALSE(kubectl(*stranger, {"get", "namespace", "kept"}).ok());

  server.process().kill();
  EXPECT_FALSE(server.process().running());
  ASSERT_TRUE(server.restart().ok());
  EXPECT_TRUE(kubectl(server.kubeconfig(), {"get", "namespace", "kept"}).ok());
}

}  // namespace
}  // namespace berth::kube

// Programs on the libraries that everybody uses, on Berth's hub, and on the real server to show
// that they are right. What each does is in peers/clients, peers/python and peers/javascript.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kube/paths.h"
#include "kube/server.h"
#include "kube/server_kinds.h"

namespace berth::kube {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

class Clients : public ::testing::TestWithParam<ServerKind> {
 protected:
  // Runs it with the administrator's kubeconfig as the last argument.
  void expect_success(std::vector<std::string> command) {
    auto server = Server::start({.kind = GetParam()});
    ASSERT_TRUE(server.ok()) << server.error().message;
    command.push_back((*server)->kubeconfig().string());
    const fs::path log = (*server)->folder() / "client.log";
    command.insert(command.begin(),
                   {"sh", "-c", "log=$1; shift; exec \"$@\" >\"$log\" 2>&1", "sh", log.string()});
    const Status status = run(command);
    std::ifstream file(log);
    const std::string told{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    EXPECT_TRUE(status.ok()) << told;
    EXPECT_THAT(told, ::testing::HasSubstr("ok ")) << "It did nothing.";
  }

  void expect_success_in_go(const std::string& program) {
    const std::string clients = variable("BERTH_CLIENTS");
    ASSERT_FALSE(clients.empty()) << "$BERTH_CLIENTS is not set: use make test-kube";
    // Nobody removes what is left over on a kube-apiserver without kube-controller-manager.
    const bool has_collector = GetParam() == ServerKind::EmbeddedHub;
    expect_success({"env", has_collector ? "GARBAGE_COLLECTOR=yes" : "GARBAGE_COLLECTOR=no",
                    clients, program});
  }
};

TEST_P(Clients, OfClientGoWork) { expect_success_in_go("client-go"); }

TEST_P(Clients, OfControllerRuntimeWork) { expect_success_in_go("controller-runtime"); }

TEST_P(Clients, InPythonWork) {
  const std::string python = variable("BERTH_PYTHON_CLIENT");
  if (python.empty()) GTEST_SKIP() << "the registry of Python's packages could not be reached";
  expect_success({python, source_path("tests/kube/peers/python/client.py").string()});
}

TEST_P(Clients, InJavaScriptWork) {
  const std::string modules = variable("BERTH_JAVASCRIPT_CLIENT");
  if (modules.empty()) GTEST_SKIP() << "the registry of JavaScript's packages could not be reached";
  expect_success({"env", "--chdir=" + modules, "node",
                  source_path("tests/kube/peers/javascript/client.mjs").string()});
}

INSTANTIATE_TEST_SUITE_P(OnEachServer, Clients, ::testing::ValuesIn(client_servers()),
                         [](const auto& test) { return name_of(test.param); });

}  // namespace
}  // namespace berth::kube

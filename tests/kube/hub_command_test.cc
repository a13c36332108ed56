// berth hub as its operator knows it: files, flags, backups, who is let in.

#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "kube/blocking_api.h"
#include "kube/commands.h"
#include "kube/contents.h"
#include "kube/server.h"
#include "kube/waiting.h"

namespace berth::kube {
namespace {

namespace fs = std::filesystem;
using client::ResourcePath;
using json::Value;
using ::testing::HasSubstr;
using ::testing::Not;

const ResourcePath kMaps{.resource = {.version = "v1", .resource = "configmaps"}, .ns = "default"};
const ResourcePath kSecrets{.resource = {.version = "v1", .resource = "secrets"}, .ns = "default"};

Value named(const char* name) {
  return Value::object({{"metadata", Value::object({{"name", name}})}});
}

std::unique_ptr<Server> start(std::vector<std::string> flags = {}) {
  auto server = Server::start({.kind = ServerKind::EmbeddedHub, .flags = std::move(flags)});
  EXPECT_TRUE(server.ok()) << server.error().message;
  return server.ok() ? *std::move(server) : nullptr;
}

// The HTTP code that somebody without a certificate gets.
std::string code_for(const Server& server, const std::string& target,
                     const std::string& header = "X-Nothing: x") {
  const fs::path answer = server.folder() / "code";
  static_cast<void>(run({"sh", "-c",
                         fmt::format("curl --silent --insecure --max-time 10 --output /dev/null "
                                     "--write-out '%{{http_code}}' --header '{}' {}{} > {}",
                                     header, server.url(), target, answer.string())}));
  return contents(answer);
}

TEST(HubCommand, KeepsItsSecretsToItself) {
  const auto server = start();
  ASSERT_TRUE(server);
  for (const char* name : {"pki/ca.key", "pki/sa.key", "kubeconfig", "store/store.db"}) {
    const fs::perms mode = fs::status(server->folder() / name).permissions();
    EXPECT_EQ(mode & (fs::perms::group_all | fs::perms::others_all), fs::perms::none) << name;
  }
}

TEST(HubCommand, LetsNobodyElseIntoItsData) {
  const auto server = start();
  ASSERT_TRUE(server);
  const auto second = berth_alone(
      *server, {"hub", "--data-dir", server->folder().string(), "--listen", "127.0.0.1:0"});
  ASSERT_FALSE(second.ok());
  EXPECT_THAT(second.error().message, HasSubstr("in use by another process"));
  EXPECT_TRUE(server->process().running());
}

TEST(HubCommand, ShowsStrangersOnlyThatItLives) {
  const auto server = start();
  ASSERT_TRUE(server);
  for (const char* path : {"/healthz", "/livez", "/readyz", "/version"}) {
    EXPECT_EQ(code_for(*server, path), "200") << path;
  }
  for (const char* path : {"/api", "/apis", "/openapi/v3", "/metrics", "/api/v1/namespaces"}) {
    EXPECT_EQ(code_for(*server, path), "403") << path;
  }
  EXPECT_EQ(code_for(*server, "/version", "Authorization: Bearer wrong"), "401");
  EXPECT_EQ(code_for(*server, "/api/v1/namespaces", "X-Remote-User: admin"), "403");
}

TEST(HubCommand, ReadsFlagsFromAFileAndTheCommandLineWins) {
  const fs::path folder = fs::temp_directory_path() / fmt::format("berth-config-{}", ::getpid());
  fs::create_directories(folder);
  std::ofstream(folder / "tokens") << "opensesame,ali,1,\"system:masters\"\n";
  std::ofstream(folder / "flags") << "token-auth-file=" << (folder / "tokens").string()
                                  << "\nlisten=127.0.0.1:1\n";
  std::ofstream(folder / "wrong") << "listn=127.0.0.1:1\n";
  const auto server = start({"--config", (folder / "flags").string()});
  ASSERT_TRUE(server);
  EXPECT_EQ(code_for(*server, "/api/v1/namespaces", "Authorization: Bearer opensesame"), "200");
  const auto refused = berth_alone(*server, {"hub", "--config", (folder / "wrong").string()});
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message, HasSubstr("there is no flag --listn"));
  fs::remove_all(folder);
}

TEST(HubCommand, WritesAnAuditLogWithoutSecrets) {
  const fs::path log = fs::temp_directory_path() / fmt::format("berth-audit-{}", ::getpid());
  const auto server = start({"--audit-log-path", log.string()});
  ASSERT_TRUE(server);
  BlockingApi api(server->kubeconfig());
  Value secret = named("hidden");
  secret["stringData"] = Value::object({{"password", "correct-horse"}});
  ASSERT_TRUE(api.create(kSecrets, secret).ok());
  EXPECT_TRUE(wait_until([&] {
    return contents(log).find(R"("verb":"create")") != std::string::npos &&
           contents(log).find(R"("resource":"secrets")") != std::string::npos;
  }));
  EXPECT_THAT(contents(log), Not(HasSubstr("correct-horse")));
  EXPECT_THAT(contents(log), Not(HasSubstr("Y29ycmVjdC1ob3JzZQ")));
  fs::remove(log);
}

TEST(HubCommand, ABackupBecomesAnotherHub) {
  const auto server = start();
  ASSERT_TRUE(server);
  {
    BlockingApi api(server->kubeconfig());
    ASSERT_TRUE(api.create(kMaps, named("before")).ok());
  }
  const fs::path backup = server->folder() / "backup.db";
  const std::string data = server->folder().string();
  const auto busy = berth_alone(*server, {"hub", "backup", "--data-dir", data, backup.string()});
  ASSERT_FALSE(busy.ok());
  EXPECT_THAT(busy.error().message, HasSubstr("create --raw /backup"));

  server->process().stop();
  const auto written = berth_alone(*server, {"hub", "backup", "--data-dir", data, backup.string()});
  ASSERT_TRUE(written.ok()) << written.error().message;
  const auto over = berth_alone(*server, {"hub", "restore", "--data-dir", data, backup.string()});
  EXPECT_FALSE(over.ok());

  ASSERT_TRUE(server->restart().ok());
  std::string after;
  {
    BlockingApi api(server->kubeconfig());
    after = api.create(kMaps, named("after"))
                ->find_path({"metadata", "resourceVersion"})
                ->string_or_empty();
  }
  server->process().stop();
  fs::remove_all(server->folder() / "store");
  const auto restored =
      berth_alone(*server, {"hub", "restore", "--data-dir", data, backup.string()});
  ASSERT_TRUE(restored.ok()) << restored.error().message;
  ASSERT_TRUE(server->restart().ok());
  BlockingApi api(server->kubeconfig());
  ResourcePath path = kMaps;
  path.name = "before";
  EXPECT_TRUE(api.get(path).ok());
  path.name = "after";
  EXPECT_FALSE(api.get(path).ok());
  const auto next = api.create(kMaps, named("next"));
  ASSERT_TRUE(next.ok());
  EXPECT_GT(
      std::stoull(std::string(next->find_path({"metadata", "resourceVersion"})->string_or_empty())),
      std::stoull(after));
}

TEST(HubCommand, BacksUpWhileItServes) {
  const auto server = start();
  ASSERT_TRUE(server);
  const std::string command = fmt::format(
      "curl --silent --fail --cacert {0}/ca.crt --cert {0}/admin.crt --key "
      "{0}/admin.key --request POST {1}/backup > {2}/answer",
      (server->folder() / "pki").string(), server->url(), server->folder().string());
  ASSERT_TRUE(run({"sh", "-c", command}).ok());
  EXPECT_THAT(contents(server->folder() / "answer"), HasSubstr("\"objects\":"));
  EXPECT_EQ(
      std::distance(fs::directory_iterator(server->folder() / "backups"), fs::directory_iterator()),
      1);
}

}  // namespace
}  // namespace berth::kube

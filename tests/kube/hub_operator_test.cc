// What the operator of a hub relies on: names and certificates, modes of files, limits, logs.

#include <csignal>
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
using ::testing::HasSubstr;
using ::testing::Not;

std::unique_ptr<Server> start(std::vector<std::string> flags) {
  auto server = Server::start({.kind = ServerKind::EmbeddedHub, .flags = std::move(flags)});
  EXPECT_TRUE(server.ok()) << server.error().message;
  return server.ok() ? *std::move(server) : nullptr;
}

// A folder beside the hub's, gone with the test.
class OperatorsFolder {
 public:
  OperatorsFolder() : path_(fs::temp_directory_path() / fmt::format("berth-ops-{}", ::getpid())) {
    fs::create_directories(path_);
  }
  ~OperatorsFolder() { fs::remove_all(path_); }

  fs::path operator/(const char* name) const { return path_ / name; }

  // hub.crt and hub.key by a new authority ca.crt, for that name only.
  void issue(const std::string& name) const {
    const std::string script = fmt::format(
        "cd {0} && umask 077 && "
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 "
        "-subj /CN=operators-ca -keyout ca.key -out ca.crt && "
        "openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN={1} "
        "-keyout new.key -out hub.csr && "
        "printf 'subjectAltName=DNS:{1}' > hub.ext && "
        "openssl x509 -req -in hub.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 "
        "-extfile hub.ext -out new.crt && mv new.crt hub.crt && mv new.key hub.key",
        path_.string(), name);
    EXPECT_TRUE(run({"sh", "-c", "exec 2>/dev/null; " + script}).ok());
  }

 private:
  fs::path path_;
};

// Whether somebody who trusts that authority finds the hub under that name.
bool is_known_as(const Server& server, const std::string& name, const fs::path& authority) {
  const std::string port = server.url().substr(server.url().rfind(':') + 1);
  return run({"curl", "--silent", "--fail", "--max-time", "10", "--output", "/dev/null", "--cacert",
              authority.string(), "--resolve", fmt::format("{}:{}:127.0.0.1", name, port),
              fmt::format("https://{}:{}/readyz", name, port)})
      .ok();
}

TEST(HubOperator, FindsTheHubUnderTheNamesThatWereSaid) {
  const auto server = start({"--tls-san", "hub.example.com,10.9.8.7", "--tls-san", "other.org"});
  ASSERT_TRUE(server);
  const fs::path authority = server->folder() / "pki" / "ca.crt";
  for (const char* name : {"hub.example.com", "other.org", "localhost", "kubernetes.default.svc"}) {
    EXPECT_TRUE(is_known_as(*server, name, authority)) << name;
  }
  EXPECT_FALSE(is_known_as(*server, "hub.example.org", authority));
}

TEST(HubOperator, BringsACertificateAndReplacesItWhileTheHubServes) {
  const OperatorsFolder folder;
  folder.issue("hub.example.com");
  const auto server = start({"--tls-cert-file", (folder / "hub.crt").string(),
                             "--tls-private-key-file", (folder / "hub.key").string()});
  ASSERT_TRUE(server);
  EXPECT_TRUE(is_known_as(*server, "hub.example.com", folder / "ca.crt"));
  EXPECT_FALSE(is_known_as(*server, "localhost", folder / "ca.crt"));
  // The administrator's kubeconfig fits it, and the controllers inside do not care.
  EXPECT_TRUE(kubectl(*server, {"create", "namespace", "team"}).ok());
  EXPECT_THAT(
      kubectl_until(*server, {"get", "sa", "-n", "team", "-o", "name"}, "serviceaccount/default\n"),
      "serviceaccount/default\n");

  folder.issue("next.example.com");
  server->process().send(SIGHUP);
  EXPECT_TRUE(
      wait_until([&] { return is_known_as(*server, "next.example.com", folder / "ca.crt"); }));
  EXPECT_TRUE(wait_until([&] { return kubectl(*server, {"get", "ns", "team"}).ok(); }));

  // A key that does not fit is refused, and the hub goes on with what it has.
  std::ofstream(folder / "hub.key") << contents(folder / "ca.key");
  server->process().send(SIGHUP);
  const fs::path log = server->folder() / "apiserver.log";
  EXPECT_TRUE(
      wait_until([&] { return contents(log).find("renewal.failed") != std::string::npos; }));
  EXPECT_TRUE(is_known_as(*server, "next.example.com", folder / "ca.crt"));
  server->process().stop();
  const auto wrong =
      berth_alone(*server, {"hub", "--data-dir", server->folder().string(), "--listen",
                            "127.0.0.1:0", "--tls-cert-file", (folder / "hub.crt").string(),
                            "--tls-private-key-file", (folder / "hub.key").string()});
  ASSERT_FALSE(wrong.ok());
  EXPECT_THAT(wrong.error().message, HasSubstr("key"));
}

TEST(HubOperator, IsToldThatOthersCanReadTheKeys) {
  const auto server = start({});
  ASSERT_TRUE(server);
  server->process().stop();
  for (const char* name : {"ca.key", "sa.key"}) {
    const fs::path key = server->folder() / "pki" / name;
    fs::permissions(key, fs::perms::group_read, fs::perm_options::add);
    const auto refused = berth_alone(
        *server, {"hub", "--data-dir", server->folder().string(), "--listen", "127.0.0.1:0"});
    ASSERT_FALSE(refused.ok());
    EXPECT_THAT(refused.error().message, HasSubstr("has the mode 0640"));
    EXPECT_THAT(refused.error().message, HasSubstr("chmod 600 " + key.string()));
    fs::permissions(key, fs::perms::group_read, fs::perm_options::remove);
  }
  EXPECT_TRUE(server->restart().ok());
}

// One connection, many streams: the second of a user's requests finds the first one waiting for the
// disk.
TEST(HubOperator, OneUserCannotKeepTheHubBusy) {
  const auto server = start({"--max-requests-inflight-per-user", "1"});
  ASSERT_TRUE(server);
  ASSERT_TRUE(kubectl(*server, {"create", "rolebinding", "eve", "--clusterrole=edit", "--user=eve",
                                "-n", "default"})
                  .ok());
  ASSERT_TRUE(server->kubeconfig_for({.name = "eve", .group = "team"}).ok());
  const fs::path body = server->folder() / "body";
  std::ofstream(body) << R"({"metadata":{"generateName":"many-"}})";
  const auto codes_for = [&](const char* user) {
    std::string urls;
    for (int i = 0; i < 100; ++i) urls += server->url() + "/api/v1/namespaces/default/configmaps ";
    const fs::path pki = server->folder() / "pki";
    const fs::path answers = server->folder() / "codes";
    EXPECT_TRUE(
        run({"sh", "-c",
             fmt::format("curl --silent --parallel --max-time 60 --cacert {0}/ca.crt --cert "
                         "{0}/{1}.crt --key {0}/{1}.key --data @{2} --header 'Content-Type: "
                         "application/json' --write-out "
                         "'\\n%{{stderr}}%{{http_code}} %header{{retry-after}};\\n' {3} "
                         "2> {4} > {5}/bodies",
                         pki.string(), user, body.string(), urls, answers.string(),
                         server->folder().string())})
            .ok());
    return contents(answers);
  };
  const std::string codes = codes_for("eve");
  EXPECT_THAT(codes, HasSubstr("201 ;"));
  EXPECT_THAT(codes, HasSubstr("429 1;"));
  EXPECT_THAT(codes, Not(HasSubstr("429 ;")));
  EXPECT_THAT(contents(server->folder() / "bodies"), HasSubstr(R"("reason":"TooManyRequests")"));
  // Administrators have to get in at any time.
  EXPECT_THAT(codes_for("admin"), Not(HasSubstr("429")));
}

TEST(HubOperator, RotatesTheAuditLog) {
  const OperatorsFolder folder;
  const fs::path log = folder / "audit.log";
  const auto server = start({"--audit-log-path", log.string()});
  ASSERT_TRUE(server);
  const auto is_in = [](const fs::path& path, const char* name) {
    return contents(path).find(fmt::format(R"("name":"{}")", name)) != std::string::npos;
  };
  static_cast<void>(kubectl(*server, {"get", "configmap", "first"}));
  EXPECT_TRUE(wait_until([&] { return is_in(log, "first"); }));
  EXPECT_EQ(fs::status(log).permissions() & (fs::perms::group_all | fs::perms::others_all),
            fs::perms::none);

  fs::rename(log, folder / "audit.log.1");
  static_cast<void>(kubectl(*server, {"get", "configmap", "second"}));
  EXPECT_TRUE(wait_until([&] { return is_in(folder / "audit.log.1", "second"); }));
  server->process().send(SIGHUP);
  EXPECT_TRUE(wait_until([&] { return fs::exists(log); }));
  static_cast<void>(kubectl(*server, {"get", "configmap", "third"}));
  EXPECT_TRUE(wait_until([&] { return is_in(log, "third"); }));
  EXPECT_FALSE(is_in(folder / "audit.log.1", "third"));
  EXPECT_FALSE(is_in(log, "first"));
}

}  // namespace
}  // namespace berth::kube

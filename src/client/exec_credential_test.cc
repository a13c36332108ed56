#include "client/exec_credential.h"

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::client {
namespace {

using namespace std::chrono_literals;

const ExecPlugin kPlugin{.api_version = "client.authentication.k8s.io/v1", .command = "get-token"};

ClientConfig config() {
  return {.server = http::parse_url("https://k8s.example:6443/base").value(),
          .tls = {.server_name = "other"},
          .exec_config = json::parse(R"({"audience":"a"})").value()};
}

std::string problem(std::string_view output) {
  return parse_exec_credential(output, kPlugin).error().message;
}

TEST(ExecCredential, TellsThePluginWhetherItMayAsk) {
  EXPECT_EQ(exec_info(kPlugin, config(), {.interactive = true}),
            R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1",)"
            R"("spec":{"interactive":true}})");
}

TEST(ExecCredential, TellsThePluginAboutTheClusterIfItWants) {
  ExecPlugin plugin = kPlugin;
  plugin.provide_cluster_info = true;
  EXPECT_EQ(json::parse(exec_info(plugin, config(), {.authorities_pem = "PEM"})).value(),
            json::parse(R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1",
      "spec":{"interactive":false,"cluster":{"server":"https://k8s.example:6443/base",
        "tls-server-name":"other","certificate-authority-data":"UEVN",
        "config":{"audience":"a"}}}})")
                .value());
}

TEST(ExecCredential, ReadsTokenCertificateAndExpiry) {
  const auto credential = parse_exec_credential(
      R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{
        "token":"t","clientCertificateData":"C","clientKeyData":"K",
        "expirationTimestamp":"2026-01-01T00:00:00Z"}})",
      kPlugin);
  EXPECT_EQ(credential->token, "t");
  EXPECT_EQ(credential->certificate_pem, "C");
  EXPECT_EQ(credential->key_pem, "K");
  EXPECT_EQ(credential->expires, Time::from_unix(1'767'225'600));
}

TEST(ExecCredential, SaysWhatIsWrongWithoutQuotingSecrets) {
  EXPECT_EQ(problem("secret"), "credential plugin \"get-token\": its output is not JSON");
  EXPECT_TRUE(problem(R"({"kind":"Pod"})").ends_with("is no ExecCredential"));
  EXPECT_TRUE(
      problem(R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1beta1"})")
          .contains("has another apiVersion"));
  const std::string_view head =
      R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1")";
  EXPECT_TRUE(problem(std::string(head) + "}").ends_with("has no status"));
  EXPECT_TRUE(problem(std::string(head) + R"(,"status":{}})").ends_with("nor a certificate"));
  EXPECT_TRUE(problem(std::string(head) + R"(,"status":{"clientKeyData":"secret"}})")
                  .ends_with("or a key alone"));
  EXPECT_TRUE(
      problem(std::string(head) + R"(,"status":{"token":"t","expirationTimestamp":"soon"}})")
          .ends_with("that is no time"));
}

TEST(ExecCredential, IsUsedUntilShortlyBeforeItExpires) {
  const ExecCredential credential{.token = "t", .expires = Time(100s)};
  EXPECT_TRUE(is_usable(credential, Time(89s)));
  EXPECT_FALSE(is_usable(credential, Time(90s)));
  EXPECT_TRUE(is_usable({.token = "t"}, Time(1000000h)));
}

TEST(ExecCredential, AnInteractivePluginNeedsATerminal) {
  ExecPlugin plugin = kPlugin;
  plugin.interactive_mode = InteractiveMode::Always;
  EXPECT_FALSE(is_interactive(plugin, Terminal::Absent).ok());
  EXPECT_TRUE(is_interactive(plugin, Terminal::Present).value());
  plugin.interactive_mode = InteractiveMode::IfAvailable;
  EXPECT_FALSE(is_interactive(plugin, Terminal::Absent).value());
  EXPECT_TRUE(is_interactive(plugin, Terminal::Present).value());
  plugin.interactive_mode = InteractiveMode::Never;
  EXPECT_FALSE(is_interactive(plugin, Terminal::Present).value());
}

TEST(ExecCredential, AnAllowListKeepsOtherPluginsOut) {
  EXPECT_TRUE(check_allowed(kPlugin, {}).ok());
  EXPECT_TRUE(check_allowed(kPlugin, {"aws", "get-token"}).ok());
  EXPECT_FALSE(check_allowed(kPlugin, {"/bin/get-token"}).ok());
}

}  // namespace
}  // namespace berth::client

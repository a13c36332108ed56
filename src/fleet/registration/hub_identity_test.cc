#include "fleet/registration/hub_identity.h"

#include <string>

#include <gtest/gtest.h>

#include "base/base64.h"
#include "json/print.h"
#include "json/yaml_read.h"
#include "pki/authority.h"

namespace berth::fleet {
namespace {

using namespace std::chrono_literals;

const Time kNow = Time::from_unix(1'800'000'000);
const AgentName kName{.cluster = "paris", .agent = "a"};
const HubEndpoint kHub{.entry = "hub", .server = "https://hub:6443", .authority_pem = "PEM"};

const pki::Authority& authority() {
  static const pki::Authority made = pki::Authority::make("ca", kNow - 1h, 24h * 365);
  return made;
}

HubSecret secret_for(const AgentName& name) {
  const pki::Identity identity =
      pki::issue_client(authority(), {.common_name = user_of(name)}, {.now = kNow, .life = 24h})
          .value();
  HubSecret secret{{kPendingKey, identity.key.pem()}};
  return with_certificate(std::move(secret), kHub, name, identity.certificate.pem());
}

std::string problem(const HubSecret& secret, const AgentName& name, Time now) {
  const auto identity = read_identity(secret, name, now);
  return identity.ok() ? "" : identity.error().message;
}

TEST(HubKubeconfig, IsLaidOutAsOcmLaysItOut) {
  EXPECT_EQ(
      json::print(hub_kubeconfig(
          {.entry = "hub", .server = "https://h", .proxy_url = "http://p", .authority_pem = "P"})),
      R"({"apiVersion":"v1","kind":"Config","clusters":[{"name":"hub","cluster":)"
      R"({"server":"https://h","certificate-authority-data":"UA==","proxy-url":"http://p"}}],)"
      R"("users":[{"name":"default-auth","user":{"client-certificate":"tls.crt",)"
      R"("client-key":"tls.key"}}],"contexts":[{"name":"default-context","context":)"
      R"({"cluster":"hub","user":"default-auth","namespace":"configuration"}}],)"
      R"("current-context":"default-context"})");
}

TEST(HubSecret, HoldsTheFiveKeysThatOthersRead) {
  const HubSecret secret = secret_for(kName);
  EXPECT_EQ(secret.size(), 5U);
  EXPECT_EQ(secret.at("cluster-name"), "paris");
  EXPECT_EQ(secret.at("agent-name"), "a");
  EXPECT_TRUE(secret.at("tls.key").contains("PRIVATE KEY"));
  EXPECT_TRUE(secret.at("tls.crt").contains("CERTIFICATE"));
  EXPECT_EQ(json::read_one_yaml(secret.at("kubeconfig")).value(), hub_kubeconfig(kHub));
}

TEST(HubIdentity, IsGoodForItsAgentUntilItExpires) {
  const HubSecret secret = secret_for(kName);
  EXPECT_EQ(problem(secret, kName, kNow), "");
  EXPECT_EQ(problem(secret, kName, kNow + 25h), "the certificate expired at 2027-01-16T08:00:00Z");
  EXPECT_EQ(problem({}, kName, kNow), "there is no certificate yet");
  EXPECT_TRUE(problem(secret, {.cluster = "paris1", .agent = "a"}, kNow).contains("is for"));
  EXPECT_TRUE(problem(secret, {.cluster = "paris", .agent = "b"}, kNow).contains("is for"));
}

TEST(HubIdentity, NeedsTheKeyOfItsCertificate) {
  HubSecret secret = secret_for(kName);
  const std::string key = secret.at(kTlsKey);
  secret[kTlsKey] = secret_for(kName).at(kTlsKey);
  EXPECT_EQ(problem(secret, kName, kNow), "there is no key that belongs to the certificate");
  secret[kPendingKey] = key;
  EXPECT_EQ(problem(secret, kName, kNow), "") << "the new certificate was stored, its key not yet";
  secret.erase(kTlsKey);
  secret.erase(kPendingKey);
  EXPECT_FALSE(problem(secret, kName, kNow).empty());
}

TEST(HubIdentity, SurvivesRubbish) {
  HubSecret secret = secret_for(kName);
  secret[kTlsCertificate] = "rubbish";
  EXPECT_FALSE(problem(secret, kName, kNow).empty());
}

TEST(HubEndpoint, TellsWhatDiffersFromTheBootstrapKubeconfig) {
  EXPECT_TRUE(check_same_hub(kHub, kHub).ok());
  HubEndpoint other = kHub;
  other.server = "https://other";
  EXPECT_EQ(check_same_hub(other, kHub).error().message,
            "the bootstrap kubeconfig has another server: \"https://other\", it was "
            "\"https://hub:6443\"");
  other = kHub;
  other.entry = "rebuilt";
  EXPECT_FALSE(check_same_hub(other, kHub).ok());
  other = kHub;
  other.proxy_url = "http://p";
  EXPECT_FALSE(check_same_hub(other, kHub).ok());
  other = kHub;
  other.tls_server_name = "s";
  EXPECT_FALSE(check_same_hub(other, kHub).ok());
  other = kHub;
  other.insecure = true;
  EXPECT_EQ(check_same_hub(other, kHub).error().message,
            "the bootstrap kubeconfig has another insecure-skip-tls-verify: \"true\", it was "
            "\"false\"");
  other = kHub;
  other.authority_pem = "x";
  EXPECT_FALSE(check_same_hub(other, kHub).ok());
}

TEST(AgentNames, AreChosenFromFlagsThenTheSecretThenInvented) {
  const AgentName invented{.cluster = "uuid", .agent = "abcde"};
  EXPECT_EQ(choose_names({}, {}, invented), invented);
  const HubSecret secret = secret_for(kName);
  EXPECT_EQ(choose_names({}, secret, invented), kName);
  EXPECT_EQ(choose_names({.cluster = "rome", .agent = ""}, secret, invented),
            (AgentName{.cluster = "rome", .agent = "a"}));
}

}  // namespace
}  // namespace berth::fleet

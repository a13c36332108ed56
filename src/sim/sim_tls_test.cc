#include "sim/sim_tls.h"

#include <gtest/gtest.h>

namespace berth::sim {
namespace {

std::string certificate(const std::string& body) {
  return "-----BEGIN CERTIFICATE-----\n" + body + "\n-----END CERTIFICATE-----\n";
}

const std::string kAuthority = certificate("the authority");
const env::TlsServer kServer = {
    .identity = {.certificates_pem = certificate("the hub") + kAuthority},
    .client_certificate = env::ClientCertificate::Require,
    .client_authorities_pem = kAuthority,
    .protocols = {"h2", "http/1.1"}};

env::TlsClient client() {
  return {.authorities_pem = kAuthority,
          .identity = {.certificates_pem = certificate("YWdlbnQ=") + kAuthority},
          .protocols = {"http/1.1", "h2"}};
}

TEST(SimTls, IntroducesBothSides) {
  const auto introduction = introduce(client(), kServer);
  ASSERT_TRUE(introduction.ok());
  EXPECT_EQ(introduction->client.certificates,
            (std::vector<std::string>{"agent", "the authority"}));
  EXPECT_EQ(introduction->server.certificates.at(0), "the hub");
  EXPECT_EQ(introduction->server.protocol, "h2");
  EXPECT_EQ(introduction->client.protocol, "h2");
}

TEST(SimTls, RefusesWhomItDoesNotKnow) {
  auto stranger = client();
  stranger.identity.certificates_pem = certificate("stranger");
  EXPECT_EQ(introduce(stranger, kServer).error().code, Code::Unauthorized);
  auto distrustful = client();
  distrustful.authorities_pem = certificate("another authority");
  EXPECT_EQ(introduce(distrustful, kServer).error().code, Code::Unauthorized);
  distrustful.trust = env::TlsTrust::Anything;
  EXPECT_TRUE(introduce(distrustful, kServer).ok());
}

TEST(SimTls, LetsARequestedCertificateBeWrong) {
  auto server = kServer;
  server.client_certificate = env::ClientCertificate::Request;
  auto stranger = client();
  stranger.identity.certificates_pem = certificate("stranger");
  const auto introduction = introduce(stranger, server);
  ASSERT_TRUE(introduction.ok());
  EXPECT_TRUE(introduction->client.certificates.empty());
  EXPECT_FALSE(introduction->client.certificate_error.empty());
  stranger.identity = {};
  EXPECT_TRUE(introduce(stranger, server)->client.certificate_error.empty());
}

TEST(SimTls, NeedsBothSidesToSpeakIt) {
  EXPECT_TRUE(introduce(std::nullopt, std::nullopt).ok());
  EXPECT_FALSE(introduce(client(), std::nullopt).ok());
  EXPECT_FALSE(introduce(std::nullopt, kServer).ok());
}

TEST(SimTls, ACertificateNeedsItsKey) {
  env::TlsIdentity identity = client().identity;
  EXPECT_EQ(check_identity(identity).error().code, Code::BadRequest);
  identity.key_pem = "key";
  EXPECT_TRUE(check_identity(identity).ok());
  identity.certificates_pem = "half a certif";
  EXPECT_EQ(check_identity(identity).error().code, Code::BadRequest);
  EXPECT_TRUE(check_identity({}).ok());
}

}  // namespace
}  // namespace berth::sim

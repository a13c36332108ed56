#include "apiserver/auth/authenticator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/auth/account_token.h"
#include "apiserver/auth/testing/object_table.h"
#include "pki/authority.h"
#include "pki/jwt.h"

namespace berth::apiserver {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

constexpr Time kNow = Time::from_unix(1'800'000'000);

class AuthenticatorTest : public ::testing::Test {
 protected:
  AuthenticatorTest() { objects_.add(TokenObject::ServiceAccount, "ns", "app", "u-1"); }

  CertificateIdentity certificate(const pki::Subject& subject) {
    const pki::Identity identity =
        pki::issue_client(ca_, subject, {.now = kNow, .life = 1h}).value();
    return read_client_certificate(identity.certificate.der).value();
  }
  std::string account_token() {
    const AccountToken token{.account = {.ns = "ns", .name = "app"},
                             .account_uid = "u-1",
                             .audiences = {"hub"},
                             .issued_at = kNow,
                             .not_before = kNow,
                             .expires_at = kNow + 1h};
    return pki::sign_jwt(key_, token.to_claims("iss"));
  }

  const pki::Authority ca_ = pki::Authority::make("ca", kNow, 24h);
  const pki::PrivateKey key_ = pki::PrivateKey::generate();
  testing::ObjectTable objects_;
  const Authenticator authenticator_{
      {.issuer = "iss",
       .audiences = {"hub"},
       .keys = {key_.public_key()},
       .static_tokens = StaticTokens::parse("secret,carol,7,devs\n").value()}};
};

TEST_F(AuthenticatorTest, NobodyIsAnonymous) {
  EXPECT_EQ(authenticator_.authenticate({}, objects_, kNow).value(),
            (User{.name = "system:anonymous", .groups = {"system:unauthenticated"}}));
}

TEST_F(AuthenticatorTest, ACertificateNamesTheUserAndTheGroups) {
  const auto identity = certificate({.common_name = "jane", .organizations = {"a", "b"}});
  const User user = authenticator_.authenticate({.certificate = &identity}, objects_, kNow).value();
  EXPECT_EQ(user.name, "jane");
  EXPECT_EQ(user.groups, (std::vector<std::string>{"a", "b", "system:authenticated"}));
  EXPECT_THAT(user.extra.at(std::string(kCredentialId)).at(0),
              ::testing::StartsWith("X509SHA256="));
}

TEST_F(AuthenticatorTest, ACertificateForOneLogicalClusterIsNobodyElsewhere) {
  const auto plain = certificate({.common_name = "jane", .organizations = {"system:masters"}});
  const auto paris = certificate(
      {.common_name = "jane", .organizations = {"system:masters", "berth:cluster:paris"}});
  const Authenticator in_paris({.issuer = "iss", .audiences = {}, .keys = {}, .cluster = "paris"});
  const Authenticator in_rome({.issuer = "iss", .audiences = {}, .keys = {}, .cluster = "rome"});
  EXPECT_TRUE(in_paris.authenticate({.certificate = &paris}, objects_, kNow).ok());
  EXPECT_EQ(in_rome.authenticate({.certificate = &paris}, objects_, kNow).error().message,
            "the client certificate is for the cluster \"paris\"");
  EXPECT_FALSE(authenticator_.authenticate({.certificate = &paris}, objects_, kNow).ok());
  EXPECT_EQ(in_paris.authenticate({.certificate = &plain}, objects_, kNow).error().message,
            "the client certificate is for the hub");
}

TEST_F(AuthenticatorTest, AnExpiredCertificateIsRefusedEvenOnAnOpenConnection) {
  const auto identity = certificate({.common_name = "jane"});
  const Credentials credentials{.certificate = &identity};
  EXPECT_TRUE(authenticator_.authenticate(credentials, objects_, kNow + 1h).ok());
  const auto late = authenticator_.authenticate(credentials, objects_, kNow + 1h + 1s);
  EXPECT_EQ(late.error().code, Code::Unauthorized);
  EXPECT_FALSE(authenticator_.authenticate(credentials, objects_, kNow - 10min).ok());
}

TEST_F(AuthenticatorTest, ServingCertificatesAndNamelessOnesAreNoClients) {
  const auto serving =
      pki::issue_serving(ca_, "hub", {.dns = {"hub"}}, {.now = kNow, .life = 1h}).value();
  EXPECT_EQ(read_client_certificate(serving.certificate.der).error().code, Code::Unauthorized);
  const auto nameless =
      pki::issue_client(ca_, {.common_name = "", .organizations = {"system:masters"}},
                        {.now = kNow, .life = 1h})
          .value();
  EXPECT_FALSE(read_client_certificate(nameless.certificate.der).ok());
  EXPECT_FALSE(read_client_certificate("nonsense").ok());
}

TEST_F(AuthenticatorTest, TokensOfServiceAccountsAndOfTheFile) {
  const User account =
      authenticator_.authenticate({.authorization = "Bearer " + account_token()}, objects_, kNow)
          .value();
  EXPECT_EQ(account.name, "system:serviceaccount:ns:app");
  EXPECT_TRUE(account.is_in("system:serviceaccounts:ns"));
  EXPECT_TRUE(account.is_in("system:authenticated"));
  EXPECT_EQ(authenticator_.authenticate({.authorization = "bearer secret"}, objects_, kNow).value(),
            (User{.name = "carol", .uid = "7", .groups = {"devs", "system:authenticated"}}));
}

TEST_F(AuthenticatorTest, AWrongCredentialIsNotAnonymous) {
  for (const std::string& header :
       {std::string("Bearer wrong"), "Bearer " + account_token() + "x", std::string("Basic YTpi"),
        std::string("Bearer "), std::string("Bearer")}) {
    SCOPED_TRACE(header);
    const auto result = authenticator_.authenticate({.authorization = header}, objects_, kNow);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, Code::Unauthorized);
  }
  EXPECT_EQ(authenticator_.authenticate({.certificate_error = "unknown issuer"}, objects_, kNow)
                .error()
                .code,
            Code::Unauthorized);
}

TEST_F(AuthenticatorTest, ARightTokenMakesUpForAWrongCertificate) {
  const auto user = authenticator_.authenticate(
      {.certificate_error = "unknown issuer", .authorization = "Bearer secret"}, objects_, kNow);
  EXPECT_EQ(user.value().name, "carol");
}

TEST_F(AuthenticatorTest, ATokenDiesWithItsAccountAndItsTime) {
  const Credentials credentials{.authorization = "Bearer " + account_token()};
  EXPECT_FALSE(authenticator_.authenticate(credentials, objects_, kNow + 2h).ok());
  objects_.add(TokenObject::ServiceAccount, "ns", "app", "another");
  EXPECT_FALSE(authenticator_.authenticate(credentials, objects_, kNow).ok());
}

TEST_F(AuthenticatorTest, AudiencesOfATokenReviewReplaceTheHubsOwn) {
  EXPECT_EQ(authenticator_.authenticate_token(account_token(), {"x", "hub"}, objects_, kNow)
                .value()
                .audiences,
            std::vector<std::string>{"hub"});
  EXPECT_FALSE(authenticator_.authenticate_token(account_token(), {"x"}, objects_, kNow).ok());
}

}  // namespace
}  // namespace berth::apiserver

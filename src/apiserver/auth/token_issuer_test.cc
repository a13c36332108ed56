#include "apiserver/auth/token_issuer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/auth/account_token.h"
#include "apiserver/auth/testing/object_table.h"
#include "json/parse.h"

namespace berth::apiserver {
namespace {

using ::testing::HasSubstr;

constexpr Time kNow = Time::from_unix(1'800'000'000);

class TokenIssuerTest : public ::testing::Test {
 protected:
  TokenIssuerTest() {
    objects_.add(TokenObject::ServiceAccount, "ns", "app", "u-1");
    objects_.add(TokenObject::Pod, "ns", "p", "u-2")["spec"] =
        json::parse(R"({"serviceAccountName":"app","nodeName":"n"})").value();
    objects_.add(TokenObject::Pod, "ns", "q", "u-5")["spec"] =
        json::parse(R"({"serviceAccountName":"other"})").value();
    objects_.add(TokenObject::Secret, "ns", "s", "u-3");
    objects_.add(TokenObject::Node, "", "n", "u-4");
  }

  Attempt<json::Value> issue(std::string_view request) {
    return issue_token(issuer_,
                       {.account = {.ns = "ns", .name = "app"},
                        .request = json::parse(request).value(),
                        .id = "j-1",
                        .now = kNow},
                       objects_);
  }
  AccountToken token_in(const json::Value& answer) {
    return verify_account_token(answer.find_path({"status", "token"})->string_or_empty(),
                                {.issuer = "iss", .keys = {issuer_.key.public_key()}})
        .value();
  }

  testing::ObjectTable objects_;
  const TokenIssuer issuer_{
      .issuer = "iss", .audiences = {"hub"}, .key = pki::PrivateKey::generate()};
};

TEST_F(TokenIssuerTest, AnHourForTheHubUnlessSaidOtherwise) {
  const json::Value answer = issue("{}").value();
  const AccountToken token = token_in(answer);
  EXPECT_EQ(token.audiences, std::vector<std::string>{"hub"});
  EXPECT_EQ(token.issued_at, kNow);
  EXPECT_EQ(token.expires_at, kNow + std::chrono::hours(1));
  EXPECT_EQ(token.account_uid, "u-1");
  EXPECT_EQ(token.id, "j-1");
  EXPECT_EQ(answer.find_path({"status", "expirationTimestamp"})->string_or_empty(),
            "2027-01-15T09:00:00Z");
  EXPECT_EQ(answer.find_path({"spec", "expirationSeconds"})->as_int(), 3600);
  EXPECT_EQ(answer.find_path({"metadata", "name"})->string_or_empty(), "app");
}

TEST_F(TokenIssuerTest, AudiencesAndTimeAreTheRequests) {
  const AccountToken token =
      token_in(issue(R"({"spec":{"audiences":["a","b"],"expirationSeconds":600}})").value());
  EXPECT_EQ(token.audiences, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(token.expires_at, kNow + std::chrono::seconds(600));
}

TEST_F(TokenIssuerTest, TokensAreBoundToPodsSecretsAndNodes) {
  const auto bound = [&](std::string_view reference) {
    return token_in(
        issue(std::string(R"({"spec":{"boundObjectRef":)") + std::string(reference) + "}}")
            .value());
  };
  const AccountToken pod = bound(R"({"kind":"Pod","apiVersion":"v1","name":"p","uid":"u-2"})");
  EXPECT_EQ(pod.pod, (BoundObject{.name = "p", .uid = "u-2"}));
  EXPECT_EQ(pod.node, (BoundObject{.name = "n", .uid = "u-4"}));
  EXPECT_EQ(bound(R"({"kind":"Secret","apiVersion":"v1","name":"s"})").secret,
            (BoundObject{.name = "s", .uid = "u-3"}));
  EXPECT_EQ(bound(R"({"kind":"Node","apiVersion":"v1","name":"n"})").node,
            (BoundObject{.name = "n", .uid = "u-4"}));
}

TEST_F(TokenIssuerTest, RefusesInTheWordsOfTheReference) {
  struct Case {
    std::string_view request;
    Code code;
    std::string_view message;
  };
  const Case cases[] = {
      {R"({"spec":{"expirationSeconds":599}})", Code::Invalid,
       "TokenRequest.authentication.k8s.io \"\" is invalid: spec.expirationSeconds: Invalid value: "
       "599: may not specify a duration less than 10 minutes"},
      {R"({"spec":{"expirationSeconds":4294967297}})", Code::Invalid, "larger than 2^32 seconds"},
      {R"({"metadata":{"name":"x"}})", Code::Invalid, "must match the service account name"},
      {R"({"metadata":{"namespace":"x"}})", Code::Invalid, "must match the service account name"},
      {R"({"metadata":{"uid":"x"}})", Code::Conflict,
       "the UID in the token request (x) does not match the UID of the service account (u-1)"},
      {R"({"spec":{"boundObjectRef":{"kind":"Pod","apiVersion":"v1","name":"none"}}})",
       Code::NotFound, "pods \"none\" not found"},
      {R"({"spec":{"boundObjectRef":{"kind":"Pod","apiVersion":"v1","name":"q"}}})",
       Code::BadRequest, "pod running with different serviceaccount name."},
      {R"({"spec":{"boundObjectRef":{"kind":"Pod","apiVersion":"v1","name":"p","uid":"x"}}})",
       Code::Conflict, "does not match the UID in record"},
      {R"({"spec":{"boundObjectRef":{"kind":"Pod","apiVersion":"apps/v1","name":"p"}}})",
       Code::BadRequest, "cannot bind token to object of type apps/v1, Kind=Pod"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.request);
    const auto answer = issue(c.request);
    ASSERT_FALSE(answer.has_value());
    EXPECT_EQ(answer.error().error.code, c.code);
    EXPECT_THAT(answer.error().error.message, HasSubstr(c.message));
  }
  objects_.remove(TokenObject::ServiceAccount, "ns", "app");
  EXPECT_EQ(issue("{}").error().error.message, "serviceaccounts \"app\" not found");
}

}  // namespace
}  // namespace berth::apiserver

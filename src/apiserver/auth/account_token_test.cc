#include "apiserver/auth/account_token.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/auth/testing/object_table.h"
#include "base/rfc3339.h"
#include "pki/jwt.h"

namespace berth::apiserver {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

constexpr Time kNow = Time::from_unix(1'800'000'000);

AccountToken token() {
  return {.id = "j-1",
          .account = {.ns = "ns", .name = "app"},
          .account_uid = "u-1",
          .audiences = {"hub"},
          .issued_at = kNow,
          .not_before = kNow,
          .expires_at = kNow + 1h};
}

TEST(AccountToken, SurvivesItsClaims) {
  AccountToken bound = token();
  bound.pod = {.name = "p", .uid = "u-2"};
  bound.node = {.name = "n"};
  EXPECT_EQ(AccountToken::from_claims(bound.to_claims("iss")).value(), bound);
  bound = token();
  bound.secret = {.name = "s", .uid = "u-3"};
  EXPECT_EQ(AccountToken::from_claims(bound.to_claims("iss")).value(), bound);
}

TEST(AccountToken, ClaimsMustAgree) {
  json::Value claims = token().to_claims("iss");
  claims["sub"] = "system:serviceaccount:ns:other";
  EXPECT_THAT(AccountToken::from_claims(claims).error().message, HasSubstr("subject"));
  claims = token().to_claims("iss");
  claims["exp"] = "soon";
  EXPECT_THAT(AccountToken::from_claims(claims).error().message, HasSubstr("\"exp\" is no time"));
  claims.erase("kubernetes.io");
  EXPECT_FALSE(AccountToken::from_claims(claims).ok());
}

TEST(AccountToken, KeyAndIssuerMustBeKnown) {
  const auto key = pki::PrivateKey::generate();
  const std::string text = pki::sign_jwt(key, token().to_claims("iss"));
  EXPECT_EQ(verify_account_token(text, {.issuer = "iss", .keys = {key.public_key()}}).value(),
            token());
  EXPECT_FALSE(verify_account_token(text, {.issuer = "other", .keys = {key.public_key()}}).ok());
  EXPECT_FALSE(verify_account_token(text, {.issuer = "iss", .keys = {}}).ok());
}

TEST(AccountToken, TimesHaveAMinuteOfLeeway) {
  EXPECT_TRUE(check_times(token(), kNow - 1min).ok());
  EXPECT_TRUE(check_times(token(), kNow + 1h + 1min).ok());
  EXPECT_THAT(check_times(token(), kNow + 1h + 61s).error().message, HasSubstr("expired"));
  EXPECT_THAT(check_times(token(), kNow - 61s).error().message, HasSubstr("not valid yet"));
  AccountToken future = token();
  future.not_before = kNow - 1h;
  EXPECT_THAT(check_times(future, kNow - 61s).error().message, HasSubstr("in the future"));
}

TEST(AccountToken, OneAudienceHasToBeShared) {
  AccountToken two = token();
  two.audiences = {"a", "b", "c"};
  EXPECT_EQ(shared_audiences(two, {"c", "a", "x"}).value(), (std::vector<std::string>{"c", "a"}));
  EXPECT_EQ(shared_audiences(two, {"x"}).error().message,
            R"(token audiences ["a" "b" "c"] is invalid for the target audiences ["x"])");
}

TEST(AccountToken, WhatItIsBoundToMustStillBeTheSame) {
  testing::ObjectTable objects;
  objects.add(TokenObject::ServiceAccount, "ns", "app", "u-1");
  objects.add(TokenObject::Pod, "ns", "p", "u-2");
  objects.add(TokenObject::Secret, "ns", "s", "u-3");
  objects.add(TokenObject::Node, "", "n", "u-4");
  AccountToken pod = token();
  pod.pod = {.name = "p", .uid = "u-2"};
  pod.node = {.name = "gone", .uid = "x"};  // Only told.
  AccountToken secret = token();
  secret.secret = {.name = "s", .uid = "u-3"};
  AccountToken node = token();
  node.node = {.name = "n", .uid = "u-4"};
  for (const AccountToken& bound : {token(), pod, secret, node}) {
    EXPECT_TRUE(check_objects(bound, objects, kNow).ok());
  }
  objects.add(TokenObject::Pod, "ns", "p", "u-9");
  EXPECT_THAT(check_objects(pod, objects, kNow).error().message, HasSubstr("pod UID (u-9)"));
  objects.remove(TokenObject::Secret, "ns", "s");
  EXPECT_THAT(check_objects(secret, objects, kNow).error().message, HasSubstr("invalidated"));
  objects.remove(TokenObject::Node, "", "n");
  EXPECT_FALSE(check_objects(node, objects, kNow).ok());
  json::Value& account = objects.add(TokenObject::ServiceAccount, "ns", "app", "u-1");
  account["metadata"]["deletionTimestamp"] = format_seconds(kNow - 59s);
  EXPECT_TRUE(check_objects(token(), objects, kNow).ok());
  EXPECT_FALSE(check_objects(token(), objects, kNow + 2min).ok());
}

TEST(AccountToken, TheUserSaysWhereItComesFrom) {
  AccountToken bound = token();
  bound.pod = {.name = "p", .uid = "u-2"};
  bound.node = {.name = "n"};
  const User user = user_of(bound);
  EXPECT_EQ(user.name, "system:serviceaccount:ns:app");
  EXPECT_EQ(user.uid, "u-1");
  const std::string prefix = "authentication.kubernetes.io/";
  EXPECT_EQ(user.extra, (std::map<std::string, std::vector<std::string>>{
                            {prefix + "credential-id", {"JTI=j-1"}},
                            {prefix + "pod-name", {"p"}},
                            {prefix + "pod-uid", {"u-2"}},
                            {prefix + "node-name", {"n"}}}));
}

}  // namespace
}  // namespace berth::apiserver

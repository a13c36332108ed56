#include "upkeep/token_secret.h"

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::upkeep {
namespace {

json::Value parsed(std::string_view text) { return json::parse(text).value(); }

const json::Value kAccount = parsed(R"({"metadata":{"name":"bot","namespace":"ns","uid":"u1"}})");

json::Value secret(std::string_view annotations, std::string_view more = "") {
  return parsed(R"({"metadata":{"name":"s","namespace":"ns","annotations":{)" +
                std::string(annotations) + R"(}},"type":"kubernetes.io/service-account-token")" +
                std::string(more) + "}");
}

TEST(TokenSecret, NamesItsAccount) {
  const json::Value one = secret(R"("kubernetes.io/service-account.name":"bot")");
  EXPECT_TRUE(is_token_secret(one));
  EXPECT_FALSE(is_token_secret(parsed(R"({"type":"Opaque"})")));
  EXPECT_EQ(account_of(one), "bot");
  EXPECT_EQ(account_of(secret("")), "");
}

TEST(TokenSecret, BelongsToTheAccountWhoseUidItNames) {
  EXPECT_TRUE(belongs_to(secret(R"("kubernetes.io/service-account.name":"bot")"), kAccount));
  EXPECT_TRUE(belongs_to(secret(R"("kubernetes.io/service-account.name":"bot",
                                   "kubernetes.io/service-account.uid":"u1")"),
                         kAccount));
  EXPECT_FALSE(belongs_to(secret(R"("kubernetes.io/service-account.name":"bot",
                                    "kubernetes.io/service-account.uid":"u0")"),
                          kAccount));
  EXPECT_FALSE(belongs_to(secret(R"("kubernetes.io/service-account.name":"other")"), kAccount));
}

TEST(TokenSecret, IsFilledOnce) {
  const json::Value empty = secret(R"("kubernetes.io/service-account.name":"bot")");
  ASSERT_TRUE(lacks_token(empty));
  const json::Value full = filled(empty, kAccount, "PEM", "TOKEN");
  EXPECT_EQ(*full.find("data"),
            parsed(R"({"token":"VE9LRU4=","ca.crt":"UEVN","namespace":"bnM="})"));
  EXPECT_EQ(full.find_path({"metadata", "annotations", "kubernetes.io/service-account.uid"})
                ->string_or_empty(),
            "u1");
  EXPECT_FALSE(lacks_token(full));
  EXPECT_EQ(filled(full, kAccount, "PEM", "ANOTHER"), full);
}

TEST(TokenSecret, KeepsWhatElseIsInIt) {
  const json::Value one = secret(R"("kubernetes.io/service-account.name":"bot")",
                                 R"(,"data":{"mine":"eA==","namespace":"b3RoZXI="})");
  const json::Value full = filled(one, kAccount, "PEM", "TOKEN");
  EXPECT_EQ(full.find_path({"data", "mine"})->string_or_empty(), "eA==");
  EXPECT_EQ(full.find_path({"data", "namespace"})->string_or_empty(), "b3RoZXI=");
}

}  // namespace
}  // namespace berth::upkeep

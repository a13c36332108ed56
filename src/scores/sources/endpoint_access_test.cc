#include "scores/sources/endpoint_access.h"

#include <map>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/base64.h"
#include "json/parse.h"

namespace berth::scores {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Kind = MaterialRef::Kind;

class Access : public ::testing::Test {
 protected:
  void put(Kind kind, const std::string& name, std::string_view body) {
    objects_[{kind, name}] = json::parse(body).value();
  }

  Result<EndpointAccess> read(const Endpoint& endpoint) {
    return read_access(endpoint, [this](Kind kind, const std::string& name) -> const json::Value* {
      const auto found = objects_.find({kind, name});
      return found == objects_.end() ? nullptr : &found->second;
    });
  }

  std::map<std::pair<Kind, std::string>, json::Value> objects_;
};

const MaterialRef kToken{.name = "access", .key = "token"};

TEST_F(Access, NeedsNothingWhereNothingIsAskedFor) {
  EXPECT_EQ(read({.url = "http://x"}).value(), EndpointAccess());
  EXPECT_EQ(read({.authorities_pem = "PEM"}).value().authorities_pem, "PEM");
}

TEST_F(Access, TakesSecretsDecodedAndTokensTrimmed) {
  put(Kind::Secret, "access", R"({"data":{"token":")" + encode_base64(" s3cret\n") + R"("}})");
  put(Kind::Secret, "ours", R"({"data":{"tls.crt":"Q1JU","tls.key":"S0VZ"}})");
  const auto access = read({.token = kToken, .client_certificate_secret = "ours"});
  ASSERT_TRUE(access.ok()) << access.error().message;
  EXPECT_EQ(*access,
            (EndpointAccess{.token = "s3cret", .certificates_pem = "CRT", .key_pem = "KEY"}));
}

TEST_F(Access, TakesAuthoritiesFromEitherKind) {
  put(Kind::ConfigMap, "trust", R"({"data":{"ca.crt":"PLAIN"},"binaryData":{"der":"QklO"}})");
  put(Kind::Secret, "trust", R"({"data":{"ca.crt":"U0VDUkVU"}})");
  const auto pem = [this](Kind kind, const std::string& key) {
    return read({.authorities = MaterialRef{.kind = kind, .name = "trust", .key = key}})
        .value()
        .authorities_pem;
  };
  EXPECT_EQ(pem(Kind::ConfigMap, "ca.crt"), "PLAIN");
  EXPECT_EQ(pem(Kind::ConfigMap, "der"), "BIN");
  EXPECT_EQ(pem(Kind::Secret, "ca.crt"), "SECRET");
}

TEST_F(Access, SaysWhatIsMissingAndNeverWhatIsThere) {
  const auto complaint = [this](const Endpoint& endpoint) {
    const auto access = read(endpoint);
    return access.ok() ? "fine" : access.error().message;
  };
  EXPECT_EQ(complaint({.token = kToken}),
            "Secret access: there is none with the label scores.berth.dev/score-source=true in the "
            "namespace of the source");
  put(Kind::Secret, "access", R"({"data":{"password":"aHVudGVyMg=="}})");
  EXPECT_EQ(complaint({.token = kToken}), "Secret access: has no \"token\"");
  put(Kind::Secret, "access", R"({"data":{"token":"hunter2!"}})");
  EXPECT_EQ(complaint({.token = kToken}), "Secret access: \"token\" is not base64");
  put(Kind::Secret, "access",
      R"({"data":{"token":")" + encode_base64("hunter2\r\nX-Evil: 1") + R"("}})");
  EXPECT_THAT(complaint({.token = kToken}), HasSubstr("\"token\" is no token"));
  EXPECT_THAT(complaint({.token = kToken}), Not(HasSubstr("hunter2")));
  put(Kind::Secret, "ours", R"({"data":{"tls.crt":"Q1JU"}})");
  EXPECT_EQ(complaint({.client_certificate_secret = "ours"}), "Secret ours: has no \"tls.key\"");
}

}  // namespace
}  // namespace berth::scores

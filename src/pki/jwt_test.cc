#include "pki/jwt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pki/digest.h"
#include "pki/testing/keys.h"

namespace berth::pki {
namespace {

using ::testing::HasSubstr;

json::Value claims() { return json::Value::object({{"iss", "hub"}, {"exp", 1'800'000'000}}); }

TEST(Jwt, WhatIsSignedIsVerifiedWithBothAlgorithms) {
  for (const PrivateKey& key :
       {PrivateKey::generate(), PrivateKey::from_pem(testing::kRsaKey).value()}) {
    const std::string token = sign_jwt(key, claims());
    const PublicKey other = PrivateKey::generate().public_key();
    EXPECT_EQ(verify_jwt(token, {other, key.public_key()}).value(), claims());
    EXPECT_FALSE(verify_jwt(token, {other}).ok());
    EXPECT_FALSE(verify_jwt(token, {}).ok());
    const UnverifiedJwt unverified = UnverifiedJwt::parse(token).value();
    EXPECT_EQ(unverified.key_id, key.public_key().id());
    EXPECT_EQ(unverified.claims, claims());
  }
}

TEST(Jwt, VerifiesTheExampleOfRfc7515) {
  const PublicKey key = PublicKey::from_pem(
                            "-----BEGIN PUBLIC KEY-----\n"
                            "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEf83OJ3D2xF1Bg8vub9tLe1gHMzV7\n"
                            "6e8Tus9uPHvRVEXH8UTNG72bfocs3+257rn0s2ldbqkLJK2KRiMohYjlrQ==\n"
                            "-----END PUBLIC KEY-----\n")
                            .value();
  const auto verified = verify_jwt(
      "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLm"
      "NvbS9pc19yb290Ijp0cnVlfQ.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmW"
      "QxfKTUJqPP3-Kg6NU1Q",
      {key});
  ASSERT_TRUE(verified.ok()) << verified.error().message;
  EXPECT_EQ(verified->find("iss")->string_or_empty(), "joe");
}

TEST(Jwt, NobodyChoosesAWeakerAlgorithm) {
  const PrivateKey key = PrivateKey::generate();
  const std::string body = "." + encode_base64url(R"({"iss":"hub"})") + ".";
  const std::string none = encode_base64url(R"({"alg":"none"})") + body;
  EXPECT_FALSE(verify_jwt(none, {key.public_key()}).ok());
  const std::string other =
      encode_base64url(R"({"alg":"HS256"})") + body + encode_base64url(sha256("x"));
  EXPECT_FALSE(verify_jwt(other, {key.public_key()}).ok());
  const std::string no_algorithm = encode_base64url("{}") + body;
  EXPECT_FALSE(
      verify_jwt(no_algorithm, {PrivateKey::from_pem(testing::kEd25519Key)->public_key()}).ok());
  const std::string critical = encode_base64url(R"({"alg":"ES256","crit":["b64"]})") + body;
  EXPECT_THAT(verify_jwt(critical, {key.public_key()}).error().message, HasSubstr("extensions"));
}

TEST(Jwt, ChangedTokensAreRefused) {
  const PrivateKey key = PrivateKey::generate();
  const std::string token = sign_jwt(key, claims());
  const std::size_t signature = token.rfind('.') + 1;
  for (std::size_t i = 0; i + 1 < token.size(); ++i) {  // The last letter has bits to spare.
    std::string changed = token;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(verify_jwt(changed, {key.public_key()}).ok()) << i;
  }
  EXPECT_FALSE(verify_jwt(token.substr(0, signature), {key.public_key()}).ok());
  EXPECT_FALSE(verify_jwt(token + "AA", {key.public_key()}).ok());
}

TEST(Jwt, ErrorsAreUnauthorizedAndClear) {
  const std::string_view tokens[] = {"",        ".",         "..",       "a.b",
                                     "a.b.c.d", "e30.e30.!", "e30.W10.", "e30\n.e30."};
  for (const std::string_view token : tokens) {
    SCOPED_TRACE(token);
    const auto result = verify_jwt(token, {});
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, Code::Unauthorized);
    EXPECT_FALSE(result.error().message.empty());
  }
  EXPECT_FALSE(verify_jwt(std::string(kJwtSizeMax + 1, 'a'), {}).ok());
}

}  // namespace
}  // namespace berth::pki

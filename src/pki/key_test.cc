#include "pki/key.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pki/testing/keys.h"

namespace berth::pki {
namespace {

using ::testing::HasSubstr;

TEST(Key, AGeneratedKeySignsWhatItsPublicHalfVerifies) {
  const PrivateKey key = PrivateKey::generate();
  EXPECT_EQ(key.public_key().type(), KeyType::Ecdsa);
  EXPECT_EQ(key.public_key().bits(), 256);
  const std::string signature = key.sign("message");
  EXPECT_TRUE(key.public_key().verifies("message", signature));
  EXPECT_FALSE(key.public_key().verifies("Message", signature));
  EXPECT_FALSE(key.public_key().verifies("message", ""));
  EXPECT_FALSE(PrivateKey::generate().public_key().verifies("message", signature));
}

TEST(Key, SurvivesPem) {
  const PrivateKey key = PrivateKey::generate();
  const PrivateKey again = PrivateKey::from_pem(key.pem()).value();
  EXPECT_EQ(again.public_key(), key.public_key());
  EXPECT_EQ(PublicKey::from_pem(key.public_key().pem()).value(), key.public_key());
  EXPECT_EQ(again.public_key().id(), key.public_key().id());
  EXPECT_EQ(key.public_key().id().size(), 43U);
}

TEST(Key, ReadsRsaKeysInBothEnvelopes) {
  const PrivateKey key = PrivateKey::from_pem(testing::kRsaKey).value();
  EXPECT_EQ(key.public_key().type(), KeyType::Rsa);
  EXPECT_EQ(key.public_key().bits(), 2048);
  EXPECT_TRUE(key.public_key().verifies("message", key.sign("message")));
  EXPECT_EQ(PrivateKey::from_pem(key.pem()).value().public_key(), key.public_key());
}

TEST(Key, ReadsEd25519AndTraditionalEcKeys) {
  const PrivateKey edwards = PrivateKey::from_pem(testing::kEd25519Key).value();
  EXPECT_EQ(edwards.public_key().type(), KeyType::Ed25519);
  EXPECT_TRUE(edwards.public_key().verifies("message", edwards.sign("message")));
  EXPECT_EQ(PrivateKey::from_pem(testing::kEcKeyWithParameters).value().public_key().type(),
            KeyType::Ecdsa);
}

TEST(Key, RefusesWhatIsWeakEncryptedOrNoKey) {
  struct Case {
    std::string_view pem;
    std::string_view message;
  };
  const Case cases[] = {
      {testing::kWeakRsaKey, "RSA key of 1024 bits; 2048 to 8192 are accepted"},
      {testing::kSecp256k1Key, "curve other than"},
      {testing::kEncryptedKey, "the private key is encrypted"},
      {"", "no PEM block"},
      {"-----BEGIN PRIVATE KEY-----\nYQ==\n-----END PRIVATE KEY-----\n", "cannot be read"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.message);
    EXPECT_THAT(PrivateKey::from_pem(c.pem).error().message, HasSubstr(c.message));
  }
  EXPECT_FALSE(PublicKey::from_pem(testing::kRsaKey).ok());
}

}  // namespace
}  // namespace berth::pki

#include "pki/digest.h"

#include <gtest/gtest.h>

#include "base/base64.h"

namespace berth::pki {
namespace {

TEST(Digest, Sha256OfAKnownText) {
  EXPECT_EQ(encode_base64(sha256("abc")), "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
}

TEST(Digest, ComparesSecrets) {
  EXPECT_TRUE(equal_in_constant_time("", ""));
  EXPECT_TRUE(equal_in_constant_time("secret", "secret"));
  EXPECT_FALSE(equal_in_constant_time("secret", "secreT"));
  EXPECT_FALSE(equal_in_constant_time("secret", "secret2"));
}

TEST(Digest, Base64ForUrlsHasNoPaddingAndNoSlash) {
  EXPECT_EQ(encode_base64url("\xfb\xff\xfe"), "-__-");
  EXPECT_EQ(encode_base64url("a"), "YQ");
}

}  // namespace
}  // namespace berth::pki

#include "store/crc32c.h"

#include <string>

#include <gtest/gtest.h>

namespace berth::store {
namespace {

TEST(Crc32c, GivesThePublishedSums) {
  EXPECT_EQ(crc32c(""), 0u);
  EXPECT_EQ(crc32c("123456789"), 0xe3069283u);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aau);  // RFC 3720, B.4
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62a8ab43u);
}

TEST(Crc32c, IsTheSameInParts) {
  const std::string text = "The quick brown fox jumps over the lazy dog, twice or more.";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    EXPECT_EQ(crc32c(text.substr(cut), crc32c(text.substr(0, cut))), crc32c(text));
  }
}

}  // namespace
}  // namespace berth::store

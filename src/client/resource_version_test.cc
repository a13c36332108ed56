#include "client/resource_version.h"

#include <gtest/gtest.h>

namespace berth::client {
namespace {

TEST(ResourceVersion, LongerIsNewerThenDigitsDecide) {
  EXPECT_TRUE(is_older("9", "10"));
  EXPECT_TRUE(is_older("10", "11"));
  EXPECT_FALSE(is_older("11", "11"));
  EXPECT_FALSE(is_older("100", "99"));
  EXPECT_TRUE(is_older("99999999999999999999999998", "99999999999999999999999999"));
  EXPECT_EQ(compare_versions("5", "5"), std::strong_ordering::equal);
}

TEST(ResourceVersion, WhatIsNoNumberHasNoOrder) {
  for (const char* other : {"", "0", "01", "abc", "-1", "1.5", " 1"}) {
    EXPECT_EQ(compare_versions(other, "5"), std::nullopt) << other;
    EXPECT_FALSE(is_older(other, "5"));
    EXPECT_FALSE(is_older("5", other));
  }
}

}  // namespace
}  // namespace berth::client

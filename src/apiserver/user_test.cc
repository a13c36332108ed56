#include "apiserver/user.h"

#include <gtest/gtest.h>

namespace berth::apiserver {
namespace {

TEST(User, IsInItsGroupsOnly) {
  const User user{.name = "u", .groups = {"a", "b"}};
  EXPECT_TRUE(user.is_in("b"));
  EXPECT_FALSE(user.is_in("u"));
  EXPECT_FALSE(User{.name = "u"}.is_in(""));
}

}  // namespace
}  // namespace berth::apiserver

#include "store/base_state.h"

#include <gtest/gtest.h>

namespace berth::store {
namespace {

TEST(BaseState, IsTheSameInWhateverOrderRowsComeAndGo) {
  BaseState one;
  one.add(0xffffffff);
  one.add(7);
  one.remove(0xffffffff);
  BaseState other;
  other.add(7);
  EXPECT_EQ(one, other);
  EXPECT_EQ(checksum(one), checksum(other));
}

TEST(BaseState, HasAChecksumOverEveryNumber) {
  const BaseState base = {.revision = 1, .rows = 2, .sum = 3};
  EXPECT_NE(checksum(base), checksum({.revision = 2, .rows = 2, .sum = 3}));
  EXPECT_NE(checksum(base), checksum({.revision = 1, .rows = 3, .sum = 3}));
  EXPECT_NE(checksum(base), checksum({.revision = 1, .rows = 2, .sum = 4}));
}

}  // namespace
}  // namespace berth::store

#include "base/check.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(Check, PassesOnTruth) {
  int evaluated = 0;
  CHECK(++evaluated == 1);
  EXPECT_EQ(evaluated, 1);
}

TEST(CheckDeathTest, NamesTheConditionAndItsPlace) {
  EXPECT_DEATH(CHECK(1 + 1 == 3), "check_test.cc:[0-9]+: CHECK failed: 1 \\+ 1 == 3");
}

}  // namespace
}  // namespace berth

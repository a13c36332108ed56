#include "cel/context.h"

#include <gtest/gtest.h>

namespace berth::cel {
namespace {

TEST(Context, IsCancelledBeyondTheCostLimitOnly) {
  Arena arena;
  Context context(arena, {.cost_max = 10}, {});
  context.add_cost(10);
  EXPECT_FALSE(context.is_cancelled());
  context.add_cost(1);
  EXPECT_TRUE(context.is_cancelled());
  EXPECT_EQ(context.cancelled().text(), "operation cancelled: actual cost limit exceeded");
}

TEST(Context, RefusesToMakeWhatExceedsTheWorkLimit) {
  Arena arena;
  Context context(arena, {.work_max = 8}, {});
  EXPECT_EQ(context.string("12345678").text(), "12345678");
  EXPECT_EQ(context.string("9").text(), "operation cancelled: work limit exceeded");
  EXPECT_EQ(context.list({}).text(), "operation cancelled: work limit exceeded");
}

TEST(Context, ChargesCannotWrapAround) {
  Arena arena;
  Context context(arena, {}, {});
  EXPECT_TRUE(context.charge(1));
  EXPECT_FALSE(context.charge(UINT64_MAX));
}

TEST(Context, JoinsThePartsOfErrors) {
  Arena arena;
  Context context(arena, {}, {});
  EXPECT_EQ(context.error({"no such key: ", "x"}).text(), "no such key: x");
}

}  // namespace
}  // namespace berth::cel

#include "cel/compare.h"

#include <gtest/gtest.h>

namespace berth::cel {
namespace {

TEST(Compare, OrdersNumbersOfAllKinds) {
  EXPECT_EQ(compare(Value::integer(-1), Value::unsigned_integer(0)).as_int(), -1);
  EXPECT_EQ(compare(Value::unsigned_integer(UINT64_MAX), Value::integer(INT64_MAX)).as_int(), 1);
  EXPECT_EQ(compare(Value::floating(1e300), Value::integer(INT64_MAX)).as_int(), 1);
  EXPECT_EQ(compare(Value::integer(2), Value::floating(2.5)).as_int(), -1);
}

TEST(Compare, OrdersTextByBytes) {
  EXPECT_EQ(compare(Value::string("a"), Value::string("\xC3\xA9")).as_int(), -1);
}

TEST(Compare, HasNoAnswerForDifferentKinds) {
  EXPECT_TRUE(compare(Value::integer(1), Value::string("1")).is_error());
}

TEST(Equality, IsCancelledOnStructuresThatExplode) {
  // Forty levels of [x, x] are a thousand billion elements.
  Arena arena;
  Context context(arena, {}, {});
  Value a = Value::integer(1);
  Value b = Value::integer(1);
  for (int i = 0; i < 40; ++i) {
    const Value pair_a[] = {a, a};
    const Value pair_b[] = {b, b};
    a = context.list(pair_a);
    b = context.list(pair_b);
  }
  EXPECT_FALSE(equal(context, a, b));
  EXPECT_TRUE(context.is_cancelled());
}

}  // namespace
}  // namespace berth::cel

#include "cel/display.h"

#include <limits>

#include <gtest/gtest.h>

namespace berth::cel {
namespace {

TEST(Display, PrintsDoublesAsGoDoes) {
  EXPECT_EQ(display_double(1), "1");
  EXPECT_EQ(display_double(123456), "123456");
  EXPECT_EQ(display_double(1e6), "1e+06");
  EXPECT_EQ(display_double(0.0001), "0.0001");
  EXPECT_EQ(display_double(0.00001), "1e-05");
  EXPECT_EQ(display_double(-std::numeric_limits<double>::infinity()), "-Inf");
}

TEST(Display, ReadsLikeAnExpression) {
  EXPECT_EQ(display(Value::floating(2)), "2.0");
  EXPECT_EQ(display(Value::unsigned_integer(2)), "2u");
  EXPECT_EQ(display(Value::bytes("x")), "b\"\\170\"");
  EXPECT_EQ(display(Value::duration(Duration(1'500'000'000))), "duration(\"1.5s\")");
  EXPECT_EQ(display(Value::none()), "optional.none()");
}

TEST(Display, CutsWhatIsTooLong) {
  const std::vector<Value> many(100'000, Value::integer(1));
  EXPECT_LT(display(Value::list(many)).size(), 5000U);
}

}  // namespace
}  // namespace berth::cel

#include "cel/cost.h"

#include <gtest/gtest.h>

namespace berth::cel {
namespace {

TEST(Cost, RoundsATenthUp) {
  EXPECT_EQ(traversal_cost(0), 0U);
  EXPECT_EQ(traversal_cost(1), 1U);
  EXPECT_EQ(traversal_cost(10), 1U);
  EXPECT_EQ(traversal_cost(11), 2U);
}

TEST(Cost, OfAComparisonIsThatOfTheShorter) {
  EXPECT_EQ(comparison_cost(Value::string("0123456789ab"), Value::string("")), 0U);
  EXPECT_EQ(comparison_cost(Value::integer(1), Value::string("0123456789ab")), 1U);
}

TEST(Cost, CountsCodePoints) {
  EXPECT_EQ(size_for_cost(Value::string("\xC3\xA9\xE2\x82\xAC")), 2U);
  EXPECT_EQ(size_for_cost(Value::error("message")), 1U);
}

TEST(Cost, OfAPatternGrowsWithTextAndPattern) {
  const Value arguments[] = {Value::string(""), Value::string("0123456789")};
  EXPECT_EQ(cost_of_regex(arguments, {}), 3U);
}

}  // namespace
}  // namespace berth::cel

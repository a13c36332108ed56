#include "cel/regex.h"

#include <gtest/gtest.h>

namespace berth::cel {
namespace {

TEST(Regex, ComplainsInGosWords) {
  EXPECT_EQ(PreparedRegex("(").complaint(), "error parsing regexp: missing closing ): `(`");
  EXPECT_EQ(PreparedRegex("a**").complaint(),
            "error parsing regexp: invalid nested repetition operator: `**`");
  EXPECT_EQ(PreparedRegex("\\").complaint(),
            "error parsing regexp: trailing backslash at end of expression: ``");
}

TEST(Regex, IsPreparedForLiteralsOnly) {
  const Value pattern = Value::string("a+");
  const Value* literal[] = {nullptr, &pattern};
  const Value* computed[] = {&pattern, nullptr};
  EXPECT_NE(prepare_regex(literal).value(), nullptr);
  EXPECT_EQ(prepare_regex(computed).value(), nullptr);
}

TEST(Regex, RefusesTheProgramOnlyWhereAsked) {
  const Value pattern = Value::string("(");
  const Value* literal[] = {nullptr, &pattern};
  EXPECT_TRUE(prepare_regex(literal).ok());
  EXPECT_FALSE(prepare_valid_regex(literal).ok());
}

}  // namespace
}  // namespace berth::cel

#include "cel/program.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cel/testing/expression_case.h"

namespace berth::cel {
namespace {

using testing::language_environment;
using testing::shown;

std::string repeat(std::string_view part, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += part;
  return result;
}

std::string outcome(std::string_view text, const Limits& limits = {}) {
  const auto program = compile(language_environment(), text);
  if (!program.ok()) return testing::issue_lines(program.error().message);
  Arena arena;
  return shown(program->evaluate({}, arena, limits).value);
}

TEST(Program, StopsAtTheCostLimit) {
  EXPECT_EQ(outcome("[1, 2, 3].all(x, x > 0)", {.cost_max = 20}),
            "!operation cancelled: actual cost limit exceeded");
  EXPECT_EQ(outcome("1 + 1 == 2 || true", {.cost_max = 0}),
            "!operation cancelled: actual cost limit exceeded");
  EXPECT_EQ(outcome("[1, 2, 3].all(x, x > 0)", {.cost_max = 26}), "true");
}

TEST(Program, EndsQuicklyOnNestedLoops) {
  const std::string tens = "[" + repeat("1,", 50) + "1]";
  std::string text = "true";
  for (int i = 0; i < 8; ++i) text = tens + ".all(x" + std::to_string(i) + ", " + text + ")";
  EXPECT_EQ(outcome(text), "!operation cancelled: actual cost limit exceeded");
}

TEST(Program, BoundsTheMemoryOfStringsThatDouble) {
  std::string text = "'0123456789'";
  for (int i = 0; i < 60; ++i) text = "[" + text + "].map(x, x + x)[0]";
  EXPECT_EQ(outcome(text), "!operation cancelled: actual cost limit exceeded");
  EXPECT_EQ(outcome(text, {.cost_max = UINT64_MAX}), "!operation cancelled: work limit exceeded");
}

TEST(Program, BoundsTheMemoryOfListsThatDouble) {
  std::string text = "[1]";
  for (int i = 0; i < 60; ++i) text = "[" + text + "].map(x, x + x)[0]";
  EXPECT_EQ(outcome(text), "!operation cancelled: work limit exceeded");
}

TEST(Program, BoundsWorkThatTheCostModelDoesNotSee) {
  std::string text = "[1]";
  for (int i = 0; i < 60; ++i) text = "[" + text + "].map(x, [x, x])[0]";
  EXPECT_EQ(outcome(text + " == " + text), "!operation cancelled: work limit exceeded");
}

TEST(Program, RefusesDeepNesting) {
  const std::string nesting = "-1:0: expression recursion limit exceeded: 250";
  EXPECT_EQ(outcome(repeat("(", 249) + "1" + repeat(")", 249)), "1");
  EXPECT_EQ(outcome(repeat("(", 250) + "1" + repeat(")", 250)), nesting);
  EXPECT_EQ(outcome(repeat("(", 99'999)), nesting);
  EXPECT_EQ(outcome(repeat("[", 99'999)), nesting);
  EXPECT_EQ(outcome(repeat("{1:", 33'000)), nesting);
  EXPECT_EQ(outcome(repeat("true?1:", 250) + "2"), nesting);
  EXPECT_EQ(outcome(repeat("(", 1'000'000)),
            "-1:0: expression code point size exceeds limit: size: 1000000, limit 100000");
}

TEST(Program, RefusesLongChainsOfOperatorsButNotOfLogic) {
  const std::string depth = "-1:0: max recursion depth exceeded";
  EXPECT_EQ(outcome("1" + repeat("+1", 250)), "251");
  EXPECT_EQ(outcome("1" + repeat("+1", 251)), depth);
  EXPECT_EQ(outcome("1" + repeat("+1", 49'999)), depth);
  EXPECT_EQ(outcome("'a'" + repeat(".trim()", 251)), depth);
  EXPECT_EQ(outcome("true" + repeat("&&true", 16'000)), "true");
  EXPECT_EQ(outcome(repeat("!", 99'000) + "true"), "true");
}

TEST(Program, ChecksTypesThatDoubleWithoutDelay) {
  std::string text = "1";
  for (int i = 0; i < 100; ++i) text = "[" + text + "].map(x, {x: x})";
  EXPECT_NE(outcome(text), "");
}

TEST(Program, CanBeEvaluatedAgainInAResetArena) {
  const auto program = compile(language_environment(), "[1, 2].map(x, x * 2)").value();
  Arena arena;
  for (int i = 0; i < 3; ++i) {
    arena.reset();
    EXPECT_EQ(shown(program.evaluate({}, arena).value), "[2, 4]");
  }
}

}  // namespace
}  // namespace berth::cel

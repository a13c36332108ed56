#include "cel/testing/expression_case.h"

namespace berth::cel {
namespace {

using testing::expect_values;
using testing::ExpressionCase;

TEST(StringFunctions, SearchAndMatch) {
  const ExpressionCase cases[] = {
      {R"("hello".contains("ell"))", "true", 1},
      {R"("hello".contains(""))", "true", 0},
      {R"("hello".startsWith("he"))", "true", 1},
      {R"("hello".endsWith("lo"))", "true", 1},
      {R"("hello".matches("^h.*o$"))", "true", 2},
      {R"("hello".matches("ell"))", "true", 1},
      {R"(matches("hello", "l+"))", "true", 1},
      {R"("hello".matches("("))", "!error parsing regexp: missing closing ): `(`", 1},
      {R"("hello".matches("["))", "!error parsing regexp: missing closing ]: `[`", 1},
      {R"("hello".matches("*"))",
       "!error parsing regexp: missing argument to repetition operator: `*`", 1},
      {R"("hello".matches("a**"))",
       "!error parsing regexp: invalid nested repetition operator: `**`", 1},
      {R"("hello".matches("\\"))",
       "!error parsing regexp: trailing backslash at end of expression: ``", 1},
      {R"("hello".matches("x{2,1}"))", "!error parsing regexp: invalid repeat count: `{2,1}`", 2},
      {R"("hello".matches("x{1001}"))", "!error parsing regexp: invalid repeat count: `{1001}`", 2},
      {R"("hello".matches("[z-a]"))", "!error parsing regexp: invalid character class range: `z-a`",
       2},
      {R"("hello".matches("\\8"))", R"(!error parsing regexp: invalid escape sequence: `\8`)", 1},
      {"\"hello\".matches(\")\")", "!error parsing regexp: unexpected ): `)`", 1},
      {"\"hello\".matches(\"(?z)\")",
       "!error parsing regexp: invalid or unsupported Perl syntax: `(?z`", 1},
      {R"(dyn(1).contains("a"))", "!no such overload", 2},
      {R"(dyn("abc").contains("a"))", "true", 2},
      {R"("abc".contains(dyn(1)))", "!no such overload", 2},
  };
  expect_values(cases);
}

}  // namespace
}  // namespace berth::cel

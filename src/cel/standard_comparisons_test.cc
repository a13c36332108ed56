#include "cel/testing/expression_case.h"

namespace berth::cel {
namespace {

using testing::expect_values;
using testing::ExpressionCase;

TEST(Comparisons, CrossNumberKindsWhenTypesAreDynamic) {
  const ExpressionCase cases[] = {
      {R"("abc" < "abd")", "true", 1},
      {R"(b"a" < b"b")", "true", 1},
      {"true > false", "true", 1},
      {"1.0 < 2.0", "true", 1},
      {"1u < 2u", "true", 1},
      {"dyn(1) < 2.5", "true", 2},
      {"dyn(1u) < 2", "true", 2},
      {"dyn(3) > 2u", "true", 2},
      {R"(dyn(1) < "a")", "!no such overload", 2},
      {R"(dyn("a") < 1)", "!no such overload", 2},
      {"dyn(null) < null", "!no such overload: _<_", 2},
      {"dyn(1) == 1u", "true", 2},
      {"dyn(1) == 1.0", "true", 2},
      {"dyn(1u) == 1.0", "true", 2},
      {R"(dyn(1) == "1")", "false", 2},
      {"dyn(9007199254740993) == 9007199254740992.0", "true", 2},
      {"dyn(18446744073709551615u) == 18446744073709551615.0", "true", 2},
      {R"(double("NaN") == double("NaN"))", "false", 3},
      {R"(double("NaN") < 1.0)", "!NaN values cannot be ordered", 2},
      {R"(dyn(double("NaN")) == 1)", "false", 3},
      {"null == null", "true", 1},
      {"dyn(null) == 1", "false", 2},
      {"[1, 2] == [1, 2]", "true", 21},
      {"[1, 2] == [2, 1]", "false", 21},
      {"dyn([1, 2]) == [1.0, 2u]", "true", 22},
      {R"({"a": 1} == {"a": 1})", "true", 61},
      {R"(dyn({"a": 1}) == {"a": 1.0})", "true", 62},
      {R"({"a": 1} == {"b": 1})", "false", 61},
      {R"({"a": 1, "b": 2} == {"b": 2, "a": 1})", "true", 61},
      {"1 != 2", "true", 1},
      {R"("a" != "a")", "false", 1},
      {R"([1, "a"][0] == 1)", "true", 13},
      {"[] == [1]", "false", 20},
      {R"({} == {"a": 1})", "false", 60},
      {"dyn(null) == dyn(1)", "false", 3},
      {"dyn(1) == 1.0", "true", 2},
  };
  expect_values(cases);
}

}  // namespace
}  // namespace berth::cel

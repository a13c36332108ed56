#include "cel/ext_optional.h"

#include "cel/testing/expression_case.h"

namespace berth::cel {
namespace {

using testing::expect_values;
using testing::ExpressionCase;

TEST(Optionals, AreEmptyOrHoldAValue) {
  const ExpressionCase cases[] = {
      {"type(optional.none())", "optional_type", 2},
      {"optional.of(1)", "optional.of(1)", 1},
      {"optional.none()", "optional.none()", 1},
      {"optional.of(1).value()", "1", 2},
      {"optional.none().value()", "!optional.none() dereference", 2},
      {"optional.of(1).hasValue()", "true", 2},
      {"optional.none().hasValue()", "false", 2},
      {"optional.of(1).orValue(2)", "1", 1},
      {"optional.none().orValue(2)", "2", 1},
      {"optional.none().or(optional.of(3))", "optional.of(3)", 2},
      {"optional.of(1).or(optional.of(3))", "optional.of(1)", 1},
      {"optional.of(1).or(optional.of(1/0))", "optional.of(1)", 1},
      {"optional.ofNonZeroValue(0)", "optional.none()", 1},
      {R"(optional.ofNonZeroValue(""))", "optional.none()", 1},
      {"optional.ofNonZeroValue([1])", "optional.of([1])", 11},
      {"optional.ofNonZeroValue(null)", "optional.none()", 1},
      {R"({"a": 1}.?a)", "optional.of(1)", 32},
      {R"({"a": 1}.?b)", "optional.none()", 31},
      {R"({"a": {"b": 2}}.?a.b)", "optional.of(2)", 63},
      {R"({"a": {"b": 2}}.?x.b)", "optional.none()", 61},
      {R"({"a": {"b": 2}}.?a.?b.orValue(0))", "2", 63},
      {R"({"a": 1}[?"a"])", "optional.of(1)", 32},
      {R"({"a": 1}[?"b"])", "optional.none()", 31},
      {"[1, 2][?0]", "optional.of(1)", 12},
      {"[1, 2][?5]", "optional.none()", 11},
      {"[1, 2][?5].orValue(9)", "9", 11},
      {R"(optional.of({"a": 1}).a)", "optional.of(1)", 33},
      {R"(optional.of({"a": 1}).b)", "optional.none()", 32},
      {"optional.of([1])[0]", "optional.of(1)", 13},
      {R"(optional.of({"a": 1})["a"])", "optional.of(1)", 33},
      {R"(optional.of({"a": 1}).?b)", "optional.none()", 32},
      {R"(has(optional.of({"a": 1}).a))", "true", 33},
      {R"(has({"a": {"b": 1}}.?a.b))", "true", 63},
      {R"(has({"a": {"b": 1}}.?a.c))", "false", 62},
      {R"(has({"a": {"b": 1}}.?x.c))", "false", 61},
      {"[?optional.of(1), ?optional.none(), 2]", "[1, 2]", 12},
      {R"({?"a": optional.of(1), ?"b": optional.none()})", R"({"a": 1})", 32},
      {"[?dyn(1)]", "!cannot initialize optional list element from non-optional value 1", 11},
      {R"({?"a": dyn(1)})", "!cannot initialize optional entry 'a' from non-optional value 1", 31},
      {"optional.of(1).optMap(x, x + 1)", "optional.of(2)", 17},
      {"optional.none().optMap(x, x + 1)", "optional.none()", 3},
      {"optional.of(1).optFlatMap(x, optional.of(x + 1))", "optional.of(2)", 17},
      {"optional.of(1).optFlatMap(x, optional.none())", "optional.none()", 13},
      {"optional.of(1).optMap(x, x).optMap(y, y + 1)", "optional.of(2)", 47},
      {"[1, 2].first()", "optional.of(1)", 11},
      {"[].first()", "optional.none()", 11},
      {"[1, 2].last()", "optional.of(2)", 11},
      {"[].last()", "optional.none()", 11},
      {"optional.unwrap([optional.of(1), optional.none(), optional.of(2)])", "[1, 2]", 14},
      {"[optional.of(1), optional.none()].unwrapOpt()", "[1]", 13},
      {"optional.of(1) == optional.of(1)", "true", 3},
      {"optional.of(1) == optional.none()", "false", 3},
      {"optional.none() == optional.none()", "true", 3},
      {"dyn(1).orValue(2)", "!no such overload", 1},
      {"dyn(optional.of(1)).orValue(2)", "1", 2},
      {R"({"a": 1, "b": [1u, 2.0, b"x", null, duration("1h"), timestamp("2024-01-01T00:00:00Z"), type(1), optional.of(3)]})",
       R"({"a": 1, "b": [1u, 2.0, b"\170", null, duration("3600s"), timestamp("2024-01-01T00:00:00Z"), int, optional.of(3)]})",
       44},
  };
  expect_values(cases);
}

}  // namespace
}  // namespace berth::cel

#include "cel/string_format.h"

#include "cel/testing/expression_case.h"

namespace berth::cel {
namespace {

using testing::expect_values;
using testing::ExpressionCase;

TEST(StringFormat, PrintsEveryVerb) {
  const ExpressionCase cases[] = {
      {R"("%s".format(["x"]))", R"("x")", 11},
      {R"("%s %d %f %e".format(["x", 1, 1.5, 1234.5678]))", R"("x 1 1.500000 1.234568e+03")", 12},
      {R"("%.3f".format([1.23456]))", R"("1.235")", 11},
      {R"("%.0f".format([2.5]))", R"("2")", 11},
      {R"("%.3e".format([1234.5678]))", R"("1.235e+03")", 11},
      {R"("%d %d %d".format([1, 2u, 3.5]))", R"("1 2 3.5")", 11},
      {R"("%b %b %b".format([5, -5, true]))", R"("101 -101 1")", 11},
      {R"("%o %x %X %x".format([8, 255, 255, "hi"]))", R"("10 ff FF 6869")", 12},
      {R"("%x".format([b"\xff\x00"]))", R"("ff00")", 11},
      {R"("%s".format([[1, "a", null, true, 1.5, b"x"]]))", R"("[1, a, null, true, 1.5, x]")", 21},
      {R"("%s".format([{"b": 1, "a": [2]}]))", R"("{a: [2], b: 1}")", 51},
      {R"("%s".format([timestamp("2024-01-01T00:00:00Z")]))", R"("2024-01-01T00:00:00Z")", 12},
      {R"("%s".format([duration("90s")]))", R"("90s")", 12},
      {R"("%s".format([type(1)]))", R"("int")", 12},
      {R"("%s".format([double("NaN")]))", R"("NaN")", 12},
      {R"("%f".format([double("inf")]))", R"("Infinity")", 12},
      {R"("%d".format([double("-inf")]))", R"("-Infinity")", 12},
      {R"("%%".format([]))", R"("%")", 11},
      {R"("abc".format([]))", R"("abc")", 11},
      {R"(dyn("%s and %s").format([1]))", "!index 1 out of range", 12},
      {R"(dyn("%q").format([1]))",
       R"(!could not parse formatting clause: unrecognized formatting clause "q")", 12},
      {R"(dyn("%").format([1]))", "!unexpected end of string", 12},
      {R"(dyn("%s").format([1, 2]))", R"("1")", 12},
      {R"(dyn("%d").format(["a"]))",
       "!error during formatting: decimal clause can only be used on ints, uints, and doubles, was "
       "given string",
       12},
      {R"(dyn("%.2f").format([3]))", R"("3.00")", 12},
      {R"("a very long format string that costs more %s".format(["x"]))",
       R"("a very long format string that costs more x")", 15},
      {R"("%.3f".format([dyn("x")]))",
       "!error during formatting: fixed-point clause can only be used on ints, uints, and doubles, "
       "was given string",
       12},
      {R"("a%%b".format([]))", R"("a%b")", 11},
      {R"("%s".format([dyn(optional.of(1))]))",
       "!error during formatting: string clause can only be used on strings, bools, bytes, ints, "
       "doubles, maps, lists, types, durations, and timestamps, was given optional_type",
       13},
  };
  expect_values(cases);
}

}  // namespace
}  // namespace berth::cel

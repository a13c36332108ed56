#include "cel/testing/expression_case.h"

namespace berth::cel {
namespace {

using testing::expect_values;
using testing::ExpressionCase;

TEST(Operators, ComputeAndRefuseAsTheReferenceDoes) {
  const ExpressionCase cases[] = {
      {"1 + 2 * 3 - 4 / 2 % 3", "5", 5},
      {"-5 / 2", "-2", 1},
      {"-5 % 3", "-2", 1},
      {"7u / 2u", "3u", 1},
      {"7u % 4u", "3u", 1},
      {"1u - 2u", "!unsigned integer overflow", 1},
      {"9223372036854775807 + 1", "!integer overflow", 1},
      {"-9223372036854775808 - 1", "!integer overflow", 1},
      {"9223372036854775807 * 2", "!integer overflow", 1},
      {"-9223372036854775808 / -1", "!integer overflow", 1},
      {"-9223372036854775808 % -1", "!integer overflow", 1},
      {"-(-9223372036854775808)", "!integer overflow", 1},
      {"18446744073709551615u + 1u", "!unsigned integer overflow", 1},
      {"18446744073709551615u * 2u", "!unsigned integer overflow", 1},
      {"1 / 0", "!division by zero", 1},
      {"1 % 0", "!modulus by zero", 1},
      {"1u / 0u", "!division by zero", 1},
      {"1u % 0u", "!modulus by zero", 1},
      {"1.0 / 0.0", R"(double("Infinity"))", 1},
      {"-1.0 / 0.0", R"(double("-Infinity"))", 1},
      {"0.0 / 0.0", R"(double("NaN"))", 1},
      {"1.5 + 2.25", "3.75", 1},
      {"1.5 * 2.0 - 0.5", "2.5", 2},
      {R"("a" + "b")", R"("ab")", 1},
      {R"(b"a" + b"b")", R"(b"\141\142")", 1},
      {"[1] + [2, 3]", "[1, 2, 3]", 21},
      {"[] + []", "[]", 21},
      {R"(-dyn("a"))", "!no such overload", 2},
      {"-dyn(true)", "!no such overload", 2},
      {"-dyn(1u)", "!no such overload: -_", 2},
      {R"(dyn(1) + "a")", "!no such overload", 2},
      {"dyn(true) + 1", "!no such overload: _+_", 2},
      {"dyn(null) + 1", "!no such overload: _+_", 2},
      {R"(dyn("a") * 2)", "!no such overload", 2},
      {"dyn(1) - 1.0", "!no such overload", 2},
      {R"(dyn("a") % 2)", "!no such overload", 2},
      {"1 in [1, 2, 3]", "true", 13},
      {"4 in [1, 2, 3]", "false", 13},
      {R"("a" in {"a": 1})", "true", 31},
      {R"("b" in {"a": 1})", "false", 31},
      {"dyn(1.0) in [1, 2]", "true", 13},
      {"dyn(1) in {1u: 2}", "true", 32},
      {"dyn(1.0) in {1: 2}", "true", 32},
      {"1 in dyn(5)", "!no such overload", 2},
      {R"(dyn("x") in dyn("xyz"))", "!no such overload", 3},
      {"{1.5: 1}", "{1.5: 1}", 30},
      {"{null: 1}", "{null: 1}", 30},
      {"{[1]: 1}", "{[1]: 1}", 40},
      {R"({"a": 1, "a": 2})", R"({"a": 2})", 30},
      {R"(size("hello"))", "5", 1},
      {R"(size("h\u00e9llo"))", "5", 1},
      {R"("h\u00e9llo".size())", "5", 1},
      {"size([1, 2])", "2", 11},
      {R"(size({"a": 1}))", "1", 31},
      {"[].size()", "0", 11},
      {"size(dyn(1))", "!no such overload: size", 2},
      {R"([1, "a"])", R"([1, "a"])", 10},
      {R"({"a": 1, 2: "b"})", R"({"a": 1, 2: "b"})", 30},
      {"google.protobuf.Timestamp", "google.protobuf.Timestamp", 0},
      {"1 + 1", "2", 1},
      {R"("")", R"("")", 0},
  };
  expect_values(cases);
}

}  // namespace
}  // namespace berth::cel

#include "apiserver/schema/field_errors.h"

#include <array>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::apiserver {
namespace {

using json::Value;

TEST(FieldErrors, SpellPathsAsKubernetesDoes) {
  EXPECT_EQ(child("", "spec"), "spec");
  EXPECT_EQ(indexed(child("spec", "list"), 3), "spec.list[3]");
  EXPECT_EQ(keyed(child("metadata", "labels"), "a/b"), "metadata.labels[a/b]");
}

TEST(FieldErrors, HaveTheReasonsAndWordsOfKubernetes) {
  const std::array<std::string, 2> supported = {"A", "B"};
  EXPECT_EQ(required("f", ""),
            (Cause{.reason = "FieldValueRequired", .message = "Required value", .field = "f"}));
  EXPECT_EQ(forbidden("f", "why").message, "Forbidden: why");
  EXPECT_EQ(invalid("f", Value(3), "why").message, "Invalid value: 3: why");
  EXPECT_EQ(invalid_whole("f", "why").message, "Invalid value: why");
  EXPECT_EQ(type_invalid("f", Value("x"), "why").reason, "FieldValueTypeInvalid");
  EXPECT_EQ(not_supported("f", Value("C"), supported).message,
            R"(Unsupported value: "C": supported values: "A", "B")");
  EXPECT_EQ(duplicate("f", Value("a")).message, R"(Duplicate value: "a")");
  EXPECT_EQ(too_long("f", 1).message, "Too long: may not be more than 1 byte");
  EXPECT_EQ(too_long("f", 5).message, "Too long: may not be more than 5 bytes");
  EXPECT_EQ(too_many("f", 3, 1).message, "Too many: 3: must have at most 1 item");
  EXPECT_EQ(internal_error("f", "why").message, "Internal error: why");
  EXPECT_EQ(required("", "").field, "<nil>");
}

TEST(FieldErrors, ShowValuesAsGoDoes) {
  EXPECT_EQ(shown(Value("a\"b")), R"("a\"b")");
  EXPECT_EQ(shown(Value(1000000)), "1000000");
  EXPECT_EQ(shown(Value()), "null");
  EXPECT_EQ(shown(Value(true)), "true");
  EXPECT_EQ(shown(json::parse(R"({"b": [1, {"d": 1, "c": "<"}], "a": null})").value()),
            R"({"a":null,"b":[1,{"c":"\u003c","d":1}]})");
  EXPECT_EQ(shown(1.5), "1.5");
  EXPECT_EQ(shown(0.0), "0");
  EXPECT_EQ(shown(100000.0), "100000");
  EXPECT_EQ(shown(1e6), "1e+06");
  EXPECT_EQ(shown(-1e23), "-1e+23");
  EXPECT_EQ(shown(0.0001), "0.0001");
  EXPECT_EQ(shown(0.00001), "1e-05");
  EXPECT_EQ(shown(std::numeric_limits<double>::infinity()), "+Inf");
}

TEST(FieldErrors, AreDescribedOnceEach) {
  const Cause a = required("a", "");
  const Cause b = forbidden("b", "why");
  EXPECT_EQ(describe(std::vector{a}), "a: Required value");
  EXPECT_EQ(describe(std::vector{a, b, a}), "[a: Required value, b: Forbidden: why]");
}

}  // namespace
}  // namespace berth::apiserver

#include "apiserver/schema/rules.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "apiserver/schema/structural.h"
#include "json/parse.h"

// What kube-apiserver says of values is in object_validation_test.cc.

namespace berth::apiserver {
namespace {

using json::Value;

std::vector<std::string> failures(const char* schema, const Value& value,
                                  const RuleInput& input = {}) {
  SchemaSet nodes;
  const StructuralSchema built = build_structural(nodes, json::parse(schema).value());
  EXPECT_TRUE(built.rule_problems.empty()) << built.rule_problems[0].message;
  std::vector<std::string> lines;
  for (const Cause& cause : validate_rules(*built.root, value, input)) {
    lines.push_back(cause.field + ": " + cause.message);
  }
  return lines;
}

using Lines = std::vector<std::string>;

Value numbers(int count) {
  Value list = Value::array();
  for (int i = 0; i < count; ++i) list.push_back(Value(i));
  return list;
}

TEST(Rules, StopWhenOneCostsTooMuch) {
  const auto object = Value::object({{"l", numbers(2000)}});
  EXPECT_EQ(
      failures(R"json({"type": "object", "properties": {"l": {"type": "array", "items":
      {"type": "integer"}, "x-kubernetes-validations": [
        {"rule": "self.all(a, self.all(b, a != b + 5000))"}, {"rule": "false"}]}}})json",
               object),
      Lines{"l: Invalid value: \"array\": 'operation cancelled: actual cost limit exceeded': "
            "no further validation rules will be run due to call cost exceeds limit for rule: "
            "self.all(a, self.all(b, a != b + 5000))"});
}

TEST(Rules, StopWhenAllTogetherCostTooMuch) {
  const auto object = Value::object({{"l", numbers(300)}, {"m", numbers(60)}});
  const auto lines = failures(R"json({"type": "object", "properties": {
      "l": {"type": "array", "items": {"type": "integer", "x-kubernetes-validations": [
        {"rule": "[1,2,3,4,5,6,7,8,9].all(a, [1,2,3,4,5,6,7,8,9].all(b, )json"
                              R"json([1,2,3,4,5,6,7,8,9].all(c, [1,2,3,4,5,6,7,8,9].all(d, )json"
                              R"json(a + b + c + d < 100))))"}]}},
      "m": {"type": "array", "items": {"type": "integer", "x-kubernetes-validations": [
        {"rule": "false"}]}}}})json",
                              object);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_TRUE(
      lines[0].contains("validation failed due to running out of cost budget, no further "
                        "validation rules will be run"))
      << lines[0];
}

TEST(Rules, SeeTheNameOfTheObject) {
  constexpr const char* kSchema = R"({"type": "object", "x-kubernetes-validations": [
      {"rule": "self.metadata.name == 'cluster'", "message": "name must be cluster"}]})";
  const auto named = [](const char* name) {
    return Value::object({{"metadata", Value::object({{"name", name}})}});
  };
  EXPECT_EQ(failures(kSchema, named("cluster")), Lines{});
  EXPECT_EQ(failures(kSchema, named("other")), Lines{"<nil>: Invalid value: name must be cluster"});
}

TEST(Rules, FallBackToTheMessageWhenItsExpressionFails) {
  EXPECT_EQ(failures(R"json({"type": "object", "properties": {"a": {"type": "integer",
      "x-kubernetes-validations": [
        {"rule": "false", "message": "plain", "messageExpression": "string(1 / 0)"},
        {"rule": "false", "messageExpression": "'  '"},
        {"rule": "false", "messageExpression": "'a\\nb'"}]}}})json",
                     Value::object({{"a", 1}})),
            (Lines{"a: Invalid value: 1: plain", "a: Invalid value: 1: failed rule: false",
                   "a: Invalid value: 1: failed rule: false"}));
}

TEST(Rules, CompareWithWhatWasThere) {
  constexpr const char* kSchema = R"json({"type": "object", "properties": {
      "l": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
        "items": {"type": "object", "required": ["k"], "properties": {"k": {"type": "string"},
          "v": {"type": "integer"}}, "x-kubernetes-validations": [
            {"rule": "self.v >= oldSelf.v", "message": "shrank"}]}},
      "o": {"type": "string", "x-kubernetes-validations": [
        {"rule": "oldSelf.orValue('none') == 'none' || self == oldSelf.value()",
         "optionalOldSelf": true, "message": "set once"}]}}})json";
  const auto old = json::parse(R"({"l": [{"k": "a", "v": 3}], "o": "x"})").value();
  const auto moved =
      json::parse(R"({"l": [{"k": "b", "v": 1}, {"k": "a", "v": 2}], "o": "y"})").value();
  EXPECT_EQ(failures(kSchema, moved, {.old = &old}),
            (Lines{"l[1]: Invalid value: shrank", "o: Invalid value: \"y\": set once"}));
  EXPECT_EQ(failures(kSchema, moved), Lines{});
}

TEST(Rules, AreSkippedForNull) {
  EXPECT_EQ(failures(R"({"type": "object", "properties": {"a": {"type": "integer", "nullable": true,
      "x-kubernetes-validations": [{"rule": "false"}]}}})",
                     Value::object({{"a", Value()}})),
            Lines{});
}

}  // namespace
}  // namespace berth::apiserver

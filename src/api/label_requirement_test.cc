#include "api/label_requirement.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace berth::api {
namespace {

using Operator = LabelRequirement::Operator;

LabelRequirement require(std::string_view key, Operator op, std::vector<std::string> values) {
  return LabelRequirement::make(key, op, std::move(values)).value();
}

std::string message(std::string_view key, Operator op, std::vector<std::string> values) {
  return LabelRequirement::make(key, op, std::move(values)).error().message;
}

bool matches(const LabelRequirement& requirement, const json::Value& labels) {
  return requirement.matches(Labels(labels));
}

TEST(LabelRequirement, MatchesByPresenceValueAndNumber) {
  struct Case {
    LabelRequirement requirement;
    std::string_view value;
    bool expected;
    bool expected_without_label;
  };
  const std::vector<Case> cases = {
      {require("k", Operator::In, {"a", "b"}), "b", true, false},
      {require("k", Operator::In, {"a", "b"}), "c", false, false},
      {require("k", Operator::NotIn, {"a"}), "a", false, true},
      {require("k", Operator::NotIn, {"a"}), "c", true, true},
      {require("k", Operator::NotEquals, {"a"}), "a", false, true},
      {require("k", Operator::Exists, {}), "", true, false},
      {require("k", Operator::DoesNotExist, {}), "", false, true},
      {require("k", Operator::GreaterThan, {"5"}), "6", true, false},
      {require("k", Operator::GreaterThan, {"5"}), "5", false, false},
      {require("k", Operator::GreaterThan, {"5"}), "+10", true, false},
      {require("k", Operator::LessThan, {"5"}), "-1", true, false},
      {require("k", Operator::LessThan, {"5"}), "four", false, false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.requirement.to_string());
    EXPECT_EQ(matches(c.requirement, json::Value::object({{"k", c.value}})), c.expected) << c.value;
    EXPECT_EQ(matches(c.requirement, json::Value::object()), c.expected_without_label);
  }
}

TEST(LabelRequirement, FindsAValueAmongMany) {
  std::vector<std::string> values;
  for (int i = 0; i < 100; ++i) values.push_back("v" + std::to_string(i));
  const LabelRequirement requirement = require("k", Operator::In, values);
  for (const std::string& value : values) {
    EXPECT_TRUE(matches(requirement, json::Value::object({{"k", value}})));
  }
  EXPECT_FALSE(matches(requirement, json::Value::object({{"k", "v100"}})));
}

TEST(LabelRequirement, RefusesWithKubernetesTexts) {
  EXPECT_EQ(message("k", Operator::In, {}),
            "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty");
  EXPECT_EQ(
      message("k", Operator::Exists, {"x", "y"}),
      "values: Invalid value: [\"x\",\"y\"]: values set must be empty for exists and does not "
      "exist");
  EXPECT_EQ(message("k", Operator::Equals, {"x", "y"}),
            "values: Invalid value: [\"x\",\"y\"]: exact-match compatibility requires one single "
            "value");
  EXPECT_EQ(message("k", Operator::LessThan, {"x"}),
            "values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators, the value must be an "
            "integer");
  EXPECT_EQ(message("k", Operator::In, {"ok", std::string(64, 'a')}),
            "values[1][k]: Invalid value: \"" + std::string(64, 'a') +
                "\": must be no more than 63 bytes");
}

TEST(LabelRequirement, JoinsSeveralProblems) {
  EXPECT_EQ(message("/k", Operator::In, {}),
            "[key: Invalid value: \"/k\": prefix part must be non-empty, values: Invalid value: "
            "null: for 'in', 'notin' operators, values set can't be empty]");
}

TEST(LabelRequirement, PrintsAsKubectlReads) {
  EXPECT_EQ(require("k", Operator::In, {"b", "a"}).to_string(), "k in (a,b)");
  EXPECT_EQ(require("k", Operator::NotIn, {"a"}).to_string(), "k notin (a)");
  EXPECT_EQ(require("k", Operator::DoubleEquals, {"a"}).to_string(), "k==a");
  EXPECT_EQ(require("k", Operator::GreaterThan, {"1"}).to_string(), "k>1");
  EXPECT_EQ(require("k", Operator::Exists, {}).to_string(), "k");
  EXPECT_EQ(require("k", Operator::DoesNotExist, {}).to_string(), "!k");
}

}  // namespace
}  // namespace berth::api

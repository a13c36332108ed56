#include "fleet/work/condition_rules.h"

#include <gtest/gtest.h>

#include "json/yaml_read.h"

namespace berth::fleet {
namespace {

using json::Value;

Value read(std::string_view yaml) { return json::read_yaml(std::string(yaml)).value().at(0); }

std::string evaluated(std::string_view object, const ConditionRule& rule) {
  const auto conditions = evaluate_rules(read(object), {rule});
  if (conditions.empty()) return "none";
  const api::Condition& made = conditions[0];
  return made.type + " " + std::string(api::condition_status_name(made.status)) + " " +
         made.reason + " " + made.message;
}

ConditionRule cel(std::vector<std::string> expressions) {
  return {.type = "CEL", .condition = "Ready", .expressions = std::move(expressions)};
}

TEST(ConditionRules, AllExpressionsMustHold) {
  EXPECT_EQ(evaluated("{a: 1}", cel({"object.a == 1", "has(object.a)"})),
            "Ready True ConditionRuleEvaluated Manifest is Ready");
  EXPECT_EQ(evaluated("{a: 1}", cel({"object.a == 1", "object.a == 2"})),
            "Ready False ConditionRuleEvaluated Manifest is not Ready");
}

TEST(ConditionRules, MessagesMayBeGivenOrComputed) {
  ConditionRule rule = cel({"true"});
  rule.message = "fine";
  EXPECT_EQ(evaluated("{a: 1}", rule), "Ready True ConditionRuleEvaluated fine");
  rule.message_expression = "'a is ' + string(object.a) + (result ? '!' : '?')";
  EXPECT_EQ(evaluated("{a: 1}", rule), "Ready True ConditionRuleEvaluated a is 1!");
  rule.message_expression = "''";
  EXPECT_EQ(evaluated("{a: 1}", rule), "Ready True ConditionRuleEvaluated fine");
}

TEST(ConditionRules, WhatIsWrongWithARuleIsItsMessage) {
  EXPECT_EQ(evaluated("{a: 1}", cel({"object.b == 1"})),
            "Ready False ConditionRuleExpressionError no such key: b");
  EXPECT_TRUE(evaluated("{a: 1}", cel({"object.("}))
                  .starts_with("Ready False ConditionRuleExpressionError ERROR"));
  EXPECT_EQ(evaluated("{a: 1}", cel({"object.a"})),
            "Ready False ConditionRuleExpressionError expected bool result, got int");
  EXPECT_EQ(evaluated("{a: 1}", {.type = "X", .condition = "Ready"}),
            "Ready Unknown ConditionRuleInvalid unrecognized condition rule type X");
}

TEST(ConditionRules, CompletenessOfJobsAndPodsIsKnown) {
  const ConditionRule complete{.type = "WellKnownConditions", .condition = "Complete"};
  EXPECT_EQ(evaluated("{apiVersion: batch/v1, kind: Job, status: {conditions: [{type: Failed, "
                      "status: 'True'}]}}",
                      complete),
            "Complete True ConditionRuleEvaluated Job is finished");
  EXPECT_EQ(evaluated("{apiVersion: batch/v1, kind: Job, status: {}}", complete),
            "Complete False ConditionRuleEvaluated Job is not finished");
  EXPECT_EQ(evaluated("{apiVersion: v1, kind: Pod, status: {phase: Succeeded}}", complete),
            "Complete True ConditionRuleEvaluated Pod is in phase Succeeded");
  EXPECT_EQ(evaluated("{apiVersion: v1, kind: Secret}", complete), "none");
  EXPECT_EQ(evaluated("{apiVersion: v1, kind: Pod}",
                      {.type = "WellKnownConditions", .condition = "Other"}),
            "none");
}

}  // namespace
}  // namespace berth::fleet

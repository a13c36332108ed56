#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "apiserver/schema/rules.h"
#include "apiserver/schema/structural.h"
#include "json/parse.h"

// What kube-apiserver says of rules that do not compile is in custom/definition_validation_test.cc.

namespace berth::apiserver {
namespace {

TEST(RuleCompilation, ReadsRulesAsTheyAreWritten) {
  const auto rules = read_rules(json::parse(R"json([{"rule": "r", "message": "m", "fieldPath": ".f",
      "messageExpression": "e", "reason": "FieldValueForbidden", "optionalOldSelf": false}, {}])json")
                                    .value());
  ASSERT_EQ(rules.size(), 2U);
  EXPECT_EQ(rules[0].rule + rules[0].message + rules[0].message_expression + rules[0].reason,
            "rmeFieldValueForbidden");
  EXPECT_EQ(rules[0].field_path, ".f");
  EXPECT_EQ(rules[0].optional_old_self, false);
  EXPECT_EQ(rules[1].optional_old_self, std::nullopt);
}

std::vector<Cause> problems(const char* schema) {
  SchemaSet nodes;
  return build_structural(nodes, json::parse(schema).value(), {.path = "s"}).rule_problems;
}

TEST(RuleCompilation, RefusesRulesWhereNothingIsKnownOfTheType) {
  const auto causes = problems(R"json({"type": "object", "properties": {"a": {
      "x-kubernetes-preserve-unknown-fields": true,
      "x-kubernetes-validations": [{"rule": "true"}]}}})json");
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(causes[0].field, "s.properties[a].x-kubernetes-validations");
  EXPECT_EQ(causes[0].reason, "InternalError");
}

TEST(RuleCompilation, HidesWhatTheSchemaDoesNotTell) {
  EXPECT_EQ(problems(R"json({"type": "object", "x-kubernetes-validations": [
      {"rule": "has(self.metadata.labels)"}]})json")
                .size(),
            1U);
  EXPECT_TRUE(problems(R"json({"type": "object", "x-kubernetes-validations": [
      {"rule": "self.metadata.name != '' && self.kind == 'K'"}]})json")
                  .empty());
}

TEST(RuleCompilation, ComparesNumbersAcrossTypes) {
  EXPECT_TRUE(problems(R"json({"type": "object", "properties": {"a": {"type": "integer",
      "x-kubernetes-validations": [{"rule": "self < 1.5"}]}}})json")
                  .empty());
}

}  // namespace
}  // namespace berth::apiserver

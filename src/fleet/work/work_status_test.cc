#include "fleet/work/work_status.h"

#include <gtest/gtest.h>

#include "json/parse.h"
#include "json/print.h"
#include "json/yaml_read.h"

namespace berth::fleet {
namespace {

using api::ConditionStatus;
using json::Value;

const Time kThen = Time::from_unix(1'700'000'000);
const Time kNow = Time::from_unix(1'700'000'060);

Value work(int generation) {
  Value object = json::parse(R"({"metadata":{"name":"w"}})").value();
  object["metadata"]["generation"] = generation;
  return object;
}

ResourceMeta meta(int ordinal, std::string name) {
  return {.ordinal = ordinal,
          .version = "v1",
          .kind = "ConfigMap",
          .resource = "configmaps",
          .ns = "n",
          .name = std::move(name)};
}

ManifestReport fine(int ordinal, std::string name) {
  ManifestReport report{.meta = meta(ordinal, std::move(name))};
  report.available = availability(report.meta, {});
  report.feedback = read_feedback(Value::object(), {});
  return report;
}

ManifestReport missing(int ordinal, std::string name) {
  ManifestReport report{.meta = meta(ordinal, std::move(name)),
                        .applied = failure(Code::Invalid, "it is bad")};
  report.available = availability(report.meta, failure(Code::NotFound, "not found"));
  return report;
}

std::string lines(const Value& conditions) {
  std::string text;
  for (const Value& one : conditions.elements()) {
    const Value* seen = one.find("observedGeneration");
    text += std::string(one.find("type")->string_or_empty()) + " " +
            std::string(one.find("status")->string_or_empty()) + " " +
            std::string(one.find("reason")->string_or_empty()) + " " +
            (seen ? std::to_string(*seen->as_int()) : "-") + " " +
            std::string(one.find("message")->string_or_empty()) + "\n";
  }
  return text;
}

std::string whole(const Value& object) {
  return lines(*object.find_path({"status", "conditions"}));
}

const Value& entry(const Value& object, std::size_t index) {
  return object.find_path({"status", "resourceStatus", "manifests"})->elements()[index];
}

TEST(WorkStatus, OfAWorkThatIsApplied) {
  const Value object = with_status(work(3), {fine(0, "a"), fine(1, "b")}, kNow);
  EXPECT_EQ(whole(object),
            "Applied True AppliedManifestWorkComplete 3 Apply manifest work complete\n"
            "Available True ResourcesAvailable 3 All resources are available\n");
  EXPECT_EQ(lines(*entry(object, 1).find("conditions")),
            "Applied True AppliedManifestComplete 3 Apply manifest complete\n"
            "Available True ResourceAvailable - Resource is available\n"
            "StatusFeedbackSynced True NoStatusFeedbackSynced - \n");
  EXPECT_EQ(json::print(*entry(object, 1).find("statusFeedback")), "{}");
  EXPECT_EQ(ResourceMeta::from_json(*entry(object, 1).find("resourceMeta")), meta(1, "b"));
}

TEST(WorkStatus, OfAWorkThatFails) {
  const Value object = with_status(work(3), {fine(0, "a"), missing(1, "b")}, kNow);
  EXPECT_EQ(whole(object),
            "Applied False AppliedManifestWorkFailed 3 Failed to apply manifest work\n"
            "Available False ResourcesNotAvailable 3 1 of 2 resources are not available\n");
  EXPECT_EQ(lines(*entry(object, 1).find("conditions")),
            "Applied False AppliedManifestFailed 3 Failed to apply manifest: it is bad\n"
            "Available False ResourceNotAvailable - Resource is not available\n");
}

TEST(WorkStatus, WhatCannotBeFetchedIsUnknown) {
  ManifestReport report = fine(0, "a");
  report.available = availability(report.meta, failure(Code::Timeout, "too slow"));
  report.feedback = std::nullopt;
  const Value object = with_status(work(1), {report}, kNow);
  EXPECT_EQ(whole(object),
            "Applied True AppliedManifestWorkComplete 1 Apply manifest work complete\n"
            "Available Unknown ResourcesStatusUnknown 1 1 of 1 resources have unknown status\n");
  EXPECT_EQ(report.available.reason, "FetchingResourceFailed");
  EXPECT_EQ(report.available.message, "Failed to fetch resource: too slow");
  EXPECT_EQ(availability({}, {}).reason, "IncompleteResourceMeta");
}

TEST(WorkStatus, IsTheSameWhenNothingChanged) {
  const Value before = with_status(work(3), {fine(0, "a")}, kThen);
  EXPECT_EQ(with_status(before, {fine(0, "a")}, kNow), before);
  EXPECT_EQ(with_status(work(3), {}, kNow), work(3));
}

TEST(WorkStatus, ANewGenerationStartsTheTimeOfApplyingAnew) {
  Value before = with_status(work(3), {fine(0, "a")}, kThen);
  before["metadata"]["generation"] = 4;
  const Value after = with_status(before, {fine(0, "a")}, kNow);
  const Value* applied = api::find_condition(*entry(after, 0).find("conditions"), "Applied");
  EXPECT_EQ(applied->find("lastTransitionTime")->string_or_empty(), "2023-11-14T22:14:20Z");
  const Value* available = api::find_condition(*entry(after, 0).find("conditions"), "Available");
  EXPECT_EQ(available->find("lastTransitionTime")->string_or_empty(), "2023-11-14T22:13:20Z");
}

TEST(WorkStatus, ManifestsThatMoveKeepTheirHistoryAndOthersGo) {
  const Value before = with_status(work(3), {fine(0, "a"), fine(1, "b")}, kThen);
  const Value after = with_status(before, {fine(0, "b")}, kNow);
  EXPECT_EQ(after.find_path({"status", "resourceStatus", "manifests"})->size(), 1U);
  EXPECT_EQ(*entry(after, 0).find("conditions"), *entry(before, 1).find("conditions"));
}

TEST(WorkStatus, NewValuesOfFeedbackHaveANewTime) {
  ManifestReport report = fine(0, "a");
  const std::vector<FeedbackRule> rules = {
      {.type = FeedbackRule::Type::JsonPaths, .paths = {{.name = "a", .path = ".a"}}}};
  report.feedback = read_feedback(Value::object({{"a", 1}}), rules);
  const Value before = with_status(work(3), {report}, kThen);
  report.feedback = read_feedback(Value::object({{"a", 2}}), rules);
  const Value after = with_status(before, {report}, kNow);
  EXPECT_EQ(json::print(*entry(after, 0).find("statusFeedback")),
            R"({"values":[{"name":"a","fieldValue":{"type":"Integer","integer":2}}]})");
  const Value* synced =
      api::find_condition(*entry(after, 0).find("conditions"), "StatusFeedbackSynced");
  EXPECT_EQ(synced->find("lastTransitionTime")->string_or_empty(), "2023-11-14T22:14:20Z");
}

TEST(WorkStatus, WhatIsNoLongerThereKeepsItsLastFeedback) {
  ManifestReport report = fine(0, "a");
  report.feedback = read_feedback(
      Value::object({{"a", 1}}),
      {{.type = FeedbackRule::Type::JsonPaths, .paths = {{.name = "a", .path = ".a"}}}});
  const Value before = with_status(work(3), {report}, kThen);
  report.feedback = std::nullopt;
  const Value after = with_status(before, {report}, kNow);
  EXPECT_EQ(*entry(after, 0).find("statusFeedback"), *entry(before, 0).find("statusFeedback"));
}

TEST(WorkStatus, ConditionsOfRulesAreCountedTogetherAndGoWithTheirGeneration) {
  const auto ruled = [](int ordinal, std::string name, ConditionStatus status, std::string type) {
    ManifestReport report = fine(ordinal, std::move(name));
    report.rules = {{.type = std::move(type),
                     .status = status,
                     .reason = "ConditionRuleEvaluated",
                     .message = "m"}};
    return report;
  };
  Value object = with_status(work(3),
                             {ruled(0, "a", ConditionStatus::True, "Complete"),
                              ruled(1, "b", ConditionStatus::False, "Complete")},
                             kNow);
  EXPECT_TRUE(whole(object).ends_with(
      "Complete False ConditionRulesAggregated 3 Aggregated from 2 manifest conditions\n"));
  EXPECT_TRUE(is_complete(object, meta(7, "a")));
  EXPECT_FALSE(is_complete(object, meta(0, "b")));

  object = with_status(object,
                       {ruled(0, "a", ConditionStatus::True, "Progressing"),
                        ruled(1, "b", ConditionStatus::False, "Progressing")},
                       kNow);
  EXPECT_TRUE(whole(object).contains("Progressing True ConditionRulesAggregated 3"));

  object["metadata"]["generation"] = 4;
  object =
      with_status(object, {fine(0, "a"), ruled(1, "b", ConditionStatus::True, "Complete")}, kNow);
  EXPECT_EQ(whole(object),
            "Applied True AppliedManifestWorkComplete 4 Apply manifest work complete\n"
            "Available True ResourcesAvailable 4 All resources are available\n"
            "Complete True ConditionRulesAggregated 4 m\n");
}

}  // namespace
}  // namespace berth::fleet

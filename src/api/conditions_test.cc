#include "api/conditions.h"

#include <gtest/gtest.h>

#include "json/parse.h"
#include "json/print.h"

namespace berth::api {
namespace {

constexpr Time kThen = Time::from_unix(1794780000);
constexpr Time kNow = Time::from_unix(1794780060);

Condition ready(ConditionStatus status, std::string reason = "Because") {
  return {.type = "Ready", .status = status, .reason = std::move(reason)};
}

TEST(Conditions, AppendsANewOneWithFieldsInKubernetesOrder) {
  Condition condition = ready(ConditionStatus::True);
  condition.observed_generation = 3;
  EXPECT_EQ(json::print(with_condition(nullptr, condition, kThen)),
            R"([{"type":"Ready","status":"True","observedGeneration":3,)"
            R"("lastTransitionTime":"2026-11-15T22:00:00Z","reason":"Because","message":""}])");
}

TEST(Conditions, MovesTheTransitionTimeOnlyWhenTheStatusChanges) {
  const auto list = with_condition(nullptr, ready(ConditionStatus::True), kThen);
  const auto time_of = [](const json::Value& conditions) {
    return std::string(
        find_condition(conditions, "Ready")->find("lastTransitionTime")->string_or_empty());
  };
  const auto same = with_condition(list, ready(ConditionStatus::True, "Other"), kNow);
  EXPECT_EQ(time_of(same), "2026-11-15T22:00:00Z");
  EXPECT_EQ(find_condition(same, "Ready")->find("reason")->string_or_empty(), "Other");
  const auto changed = with_condition(list, ready(ConditionStatus::False), kNow);
  EXPECT_EQ(time_of(changed), "2026-11-15T22:01:00Z");
}

TEST(Conditions, LeavesTheListAloneWhenNothingChanges) {
  const auto list = with_condition(nullptr, ready(ConditionStatus::True), kThen);
  EXPECT_EQ(json::print(with_condition(list, ready(ConditionStatus::True), kNow)),
            json::print(list));
}

TEST(Conditions, KeepsPlacesOtherConditionsAndUnknownFields) {
  const auto list = json::parse(R"([{"type":"A","status":"True"},
    {"type":"Ready","status":"False","extra":1,"observedGeneration":1},
    {"type":"B","status":"True"}])")
                        .value();
  const auto changed = with_condition(list, ready(ConditionStatus::True), kThen);
  ASSERT_EQ(changed.size(), 3U);
  EXPECT_EQ(changed.elements()[1].find("extra")->as_int(), 1);
  EXPECT_EQ(changed.elements()[1].find("observedGeneration"), nullptr);
  EXPECT_EQ(changed.elements()[2], list.elements()[2]);
  EXPECT_EQ(without_condition(changed, "Ready"),
            json::parse(R"([{"type":"A","status":"True"},{"type":"B","status":"True"}])").value());
}

TEST(Conditions, AreTrueFalseOrNeither) {
  const auto object = json::parse(R"({"status": {"conditions": [
    {"type":"A","status":"True"}, {"type":"B","status":"False"}, {"type":"C","status":"Unknown"}]}})")
                          .value();
  EXPECT_TRUE(is_condition_true(object, "A"));
  EXPECT_TRUE(is_condition_false(object, "B"));
  for (const std::string_view type : {"C", "D"}) {
    EXPECT_FALSE(is_condition_true(object, type));
    EXPECT_FALSE(is_condition_false(object, type));
  }
  EXPECT_FALSE(is_condition_true(nullptr, "A"));
}

}  // namespace
}  // namespace berth::api

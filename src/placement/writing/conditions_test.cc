#include "placement/writing/conditions.h"

#include <gtest/gtest.h>

#include "placement/testing/fleet_builder.h"

namespace berth::placement {
namespace {

using namespace std::chrono_literals;
using testing::parsed;

const Condition kGood = {"T", "True", "Good", "fine"};

TEST(Conditions, ANewOneGoesToTheEndOfTheList) {
  const auto list =
      with_conditions(parsed(R"([{"type":"Foreign","status":"True"}])"), {kGood}, Time(5s), 0);
  EXPECT_EQ(list, parsed(R"([{"type":"Foreign","status":"True"},
      {"type":"T","status":"True","reason":"Good","message":"fine",
       "lastTransitionTime":"1970-01-01T00:00:05Z"}])"));
}

TEST(Conditions, F5_TheTransitionTimeMovesOnlyWithTheStatus) {
  const auto first = with_conditions({}, {kGood}, Time(5s), 0);
  const auto reworded = with_conditions(first, {{"T", "True", "Better", "finer"}}, Time(9s), 0);
  EXPECT_EQ(api::text_field(reworded.elements()[0], "lastTransitionTime"), "1970-01-01T00:00:05Z");
  EXPECT_EQ(api::text_field(reworded.elements()[0], "reason"), "Better");
  const auto turned = with_conditions(reworded, {{"T", "False", "Bad", ""}}, Time(9s), 0);
  EXPECT_EQ(api::text_field(turned.elements()[0], "lastTransitionTime"), "1970-01-01T00:00:09Z");
}

TEST(Conditions, TheGenerationIsObservedWhenAskedFor) {
  const auto list = with_conditions({}, {kGood}, Time(5s), 7);
  EXPECT_EQ(api::integer_field(list.elements()[0], "observedGeneration"), 7);
  EXPECT_EQ(with_conditions(list, {kGood}, Time(5s), 0).elements()[0].find("observedGeneration"),
            nullptr);
}

TEST(Conditions, AnErrorIsToldAsUnscheduled) {
  Schedule schedule{.has_bindings = true, .eligible_sets = {"s"}, .available = {0}};
  const auto conditions =
      make_conditions({}, schedule, {ScheduleOutcome::Code::Error, "X", "went wrong"});
  EXPECT_EQ(conditions[1],
            (Condition{"PlacementSatisfied", "False", "NotAllDecisionsScheduled", "went wrong"}));
}

TEST(Conditions, AMessageNeverExceedsWhatTheSchemaAllows) {
  Schedule schedule;
  const auto conditions = make_conditions(
      {}, schedule, {ScheduleOutcome::Code::Misconfigured, "", std::string(100000, 'x')});
  EXPECT_EQ(conditions[0].message.size(), 32768U);
}

}  // namespace
}  // namespace berth::placement

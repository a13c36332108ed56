#include "apiserver/strategies/pod_deletion.h"

#include <limits>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "apiserver/tables/cells.h"
#include "base/rfc3339.h"
#include "json/yaml_read.h"

namespace berth::apiserver {
namespace {

using namespace std::chrono_literals;
using Action = PodDeletion::Action;

constexpr Time kNow{1000s};

PodDeletion deleted(std::string_view yaml, std::optional<std::int64_t> grace) {
  return delete_pod(json::read_one_yaml(yaml).value(), grace, kNow);
}

constexpr std::string_view kBound =
    "{metadata: {generation: 4}, spec: {nodeName: one, terminationGracePeriodSeconds: 30}, status: "
    "{phase: Running}}";

TEST(PodDeletion, ABoundPodIsAskedToStop) {
  const PodDeletion deletion = deleted(kBound, std::nullopt);
  EXPECT_EQ(deletion.action, Action::Store);
  EXPECT_EQ(time_at(deletion.pod, "metadata.deletionTimestamp"), kNow + 30s);
  EXPECT_EQ(integer_at(deletion.pod, "metadata.deletionGracePeriodSeconds"), 30);
  EXPECT_EQ(integer_at(deletion.pod, "metadata.generation"), 5);
}

TEST(PodDeletion, TheRequestMayNameAnotherTime) {
  EXPECT_EQ(integer_at(deleted(kBound, 5).pod, "metadata.deletionGracePeriodSeconds"), 5);
  EXPECT_EQ(integer_at(deleted(kBound, -5).pod, "metadata.deletionGracePeriodSeconds"), 1);
  EXPECT_EQ(deleted(kBound, 0).action, Action::Remove);
  EXPECT_EQ(deleted(kBound, std::numeric_limits<std::int64_t>::max()).action, Action::Store);
}

TEST(PodDeletion, WhatDoesNotRunIsRemovedAtOnce) {
  for (const char* pod :
       {"spec: {terminationGracePeriodSeconds: 30}",
        "{spec: {nodeName: one, terminationGracePeriodSeconds: 30}, status: {phase: Succeeded}}",
        "{spec: {nodeName: one, terminationGracePeriodSeconds: 30}, status: {phase: Failed}}"}) {
    EXPECT_EQ(deleted(pod, std::nullopt).action, Action::Remove) << pod;
    EXPECT_EQ(deleted(pod, 60).action, Action::Remove) << pod;
  }
}

std::string stopping(Time until, int grace) {
  return "{metadata: {generation: 5, deletionTimestamp: '" + format_seconds(until) +
         "', deletionGracePeriodSeconds: " + std::to_string(grace) + "}, spec: {nodeName: one}}";
}

TEST(PodDeletion, APodThatStopsCanOnlyBeHurried) {
  EXPECT_EQ(deleted(stopping(kNow + 20s, 30), std::nullopt).action, Action::Pending);
  EXPECT_EQ(deleted(stopping(kNow + 20s, 30), 30).action, Action::Pending);
  EXPECT_EQ(deleted(stopping(kNow + 20s, 30), 60).action, Action::Pending);
  const PodDeletion sooner = deleted(stopping(kNow + 20s, 30), 15);
  EXPECT_EQ(sooner.action, Action::Store);
  EXPECT_EQ(time_at(sooner.pod, "metadata.deletionTimestamp"), kNow + 5s);
  EXPECT_EQ(integer_at(sooner.pod, "metadata.deletionGracePeriodSeconds"), 15);
  EXPECT_EQ(integer_at(sooner.pod, "metadata.generation"), 5);
  EXPECT_EQ(deleted(stopping(kNow + 20s, 30), 0).action, Action::Remove);
}

TEST(PodDeletion, ATimeThatIsOverLeavesOneSecond) {
  const PodDeletion late = deleted(stopping(kNow + 5s, 30), 2);
  EXPECT_EQ(late.action, Action::Store);
  EXPECT_EQ(time_at(late.pod, "metadata.deletionTimestamp"), kNow);
  EXPECT_EQ(integer_at(late.pod, "metadata.deletionGracePeriodSeconds"), 1);
  EXPECT_EQ(deleted(stopping(kNow, 0), std::nullopt).action, Action::Remove);
}

RC_GTEST_PROP(PodDeletion, NoRequestEverGivesMoreTime, ()) {
  PodDeletion deletion = deleted(kBound, *rc::gen::inRange<std::int64_t>(1, 100));
  Time now = kNow;
  for (int i = 0; i < 5 && deletion.action != Action::Remove; ++i) {
    const auto before = time_at(deletion.pod, "metadata.deletionTimestamp");
    now += std::chrono::seconds(*rc::gen::inRange(0, 30));
    deletion = delete_pod(std::move(deletion.pod), *rc::gen::inRange<std::int64_t>(-2, 120), now);
    const auto after = time_at(deletion.pod, "metadata.deletionTimestamp");
    RC_ASSERT(*after <= std::max(*before, now));
  }
}

}  // namespace
}  // namespace berth::apiserver

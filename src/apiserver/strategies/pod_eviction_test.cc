#include "apiserver/strategies/pod_eviction.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "apiserver/tables/cells.h"
#include "json/yaml_read.h"

namespace berth::apiserver {
namespace {

using namespace std::chrono_literals;
using json::Value;

constexpr std::string_view kReady =
    "{metadata: {name: x, namespace: ns, labels: {a: b}}, status: {phase: Running, conditions: "
    "[{type: Ready, status: 'True'}]}}";
constexpr std::string_view kUnready =
    "{metadata: {name: x, namespace: ns, labels: {a: b}}, status: {phase: Running}}";

std::string budget(std::string_view status, std::string_view spec = "selector: {}") {
  return "{metadata: {name: p, namespace: ns, generation: 1}, spec: {" + std::string(spec) +
         "}, status: {observedGeneration: 1, " + std::string(status) + "}}";
}

Result<PodEviction> evicted(std::string_view pod, const std::vector<std::string>& budgets) {
  std::vector<Value> read;
  for (const std::string& text : budgets) read.push_back(json::read_one_yaml(text).value());
  return evict_pod(json::read_one_yaml(pod).value(), read, Time{1s});
}

TEST(PodEviction, ChargesTheBudget) {
  const auto result = evicted(kReady, {budget("disruptionsAllowed: 2")}).value();
  ASSERT_TRUE(result.budget);
  EXPECT_EQ(integer_at(*result.budget, "status.disruptionsAllowed"), 1);
  EXPECT_EQ(text_at(*result.budget, "status.disruptedPods.x"), "1970-01-01T00:00:01Z");
  EXPECT_TRUE(at(*result.budget, "status.conditions").is_null());
  EXPECT_FALSE(result.depends_on_pod_version);
  const Value& condition = at(result.pod, "status.conditions").elements()[1];
  EXPECT_EQ(text_at(condition, "type"), "DisruptionTarget");
  EXPECT_EQ(text_at(condition, "reason"), "EvictionByEvictionAPI");
}

TEST(PodEviction, WhoIsOnTheListHasPaidForAWhile) {
  const auto paid = evicted(
      kReady, {budget("disruptionsAllowed: 0, disruptedPods: {x: '1970-01-01T00:00:00Z'}")});
  ASSERT_TRUE(paid.ok());
  EXPECT_FALSE(paid->budget);
  EXPECT_FALSE(evicted(kReady, {budget("disruptionsAllowed: 0, disruptedPods: {x: "
                                       "'1969-12-31T23:00:00Z'}")})
                   .ok());
}

TEST(PodEviction, TheLastDisruptionShowsInTheBudgetsCondition) {
  const auto result = evicted(kReady, {budget("disruptionsAllowed: 1")}).value();
  const Value& condition = at(*result.budget, "status.conditions").elements()[0];
  EXPECT_EQ(text_at(condition, "type"), "DisruptionAllowed");
  EXPECT_EQ(text_at(condition, "status"), "False");
  EXPECT_EQ(text_at(condition, "reason"), "InsufficientPods");
}

TEST(PodEviction, IsRefusedWhenTheBudgetHasNothingLeft) {
  struct Case {
    std::string_view status;
    std::string_view cause;
  };
  const Case cases[] = {
      {"disruptionsAllowed: 0, desiredHealthy: 3, currentHealthy: 2",
       "The disruption budget p needs 3 healthy pods and has 2 currently"},
      {"disruptionsAllowed: 0, desiredHealthy: 3, currentHealthy: 4",
       "The disruption budget p does not allow evicting pods currently"},
      {"disruptionsAllowed: 0, desiredHealthy: 3, currentHealthy: 4, conditions: [{type: "
       "DisruptionAllowed, status: 'False', reason: Why, message: because}]",
       "The disruption budget p does not allow evicting pods currently (Why): because"},
      {"disruptionsAllowed: 0, conditions: [{type: DisruptionAllowed, status: 'False', reason: "
       "SyncFailed, message: broken}]",
       "The disruption budget p does not allow evicting pods currently because it failed sync: "
       "broken"},
  };
  for (const Case& c : cases) {
    const auto result = evicted(kReady, {budget(c.status)});
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, Code::TooManyRequests);
    EXPECT_EQ(result.error().retry_after, Duration(10s));
    EXPECT_EQ(result.error().causes[0].reason, "DisruptionBudget");
    EXPECT_EQ(result.error().causes[0].message, c.cause);
  }
}

TEST(PodEviction, WaitsForABudgetThatWasJustChanged) {
  const auto result = evicted(
      kReady, {"{metadata: {name: p, namespace: ns, generation: 2}, spec: {selector: {}}, status: "
               "{observedGeneration: 1, disruptionsAllowed: 5}}"});
  EXPECT_EQ(result.error().code, Code::TooManyRequests);
  EXPECT_EQ(result.error().causes[0].message,
            "The disruption budget p is still being processed by the server.");
}

TEST(PodEviction, OnlyBudgetsOfThePodCount) {
  for (const char* other : {"{metadata: {namespace: ns}, spec: {selector: {matchLabels: {a: c}}}}",
                            "{metadata: {namespace: elsewhere}, spec: {selector: {}}}",
                            "{metadata: {namespace: ns}}"}) {
    const auto result = evicted(kReady, {other});
    ASSERT_TRUE(result.ok()) << other;
    EXPECT_FALSE(result->budget);
  }
  const auto two =
      evicted(kReady, {budget("disruptionsAllowed: 1"), budget("disruptionsAllowed: 1")});
  EXPECT_EQ(two.error().code, Code::InternalError);
}

TEST(PodEviction, APodThatIsNotReadyMayGoFree) {
  struct Case {
    std::string budget;
    bool goes_free;
  };
  const Case cases[] = {
      {budget("disruptionsAllowed: 0, desiredHealthy: 2, currentHealthy: 2"), true},
      {budget("disruptionsAllowed: 0, desiredHealthy: 2, currentHealthy: 1"), false},
      {budget("disruptionsAllowed: 0, desiredHealthy: 0, currentHealthy: 0"), false},
      {budget("disruptionsAllowed: 0", "selector: {}, unhealthyPodEvictionPolicy: AlwaysAllow"),
       true},
  };
  for (const Case& c : cases) {
    const auto result = evicted(kUnready, {c.budget});
    EXPECT_EQ(result.ok(), c.goes_free) << c.budget;
    if (result.ok()) {
      EXPECT_TRUE(result->depends_on_pod_version);
      EXPECT_FALSE(result->budget);
    }
  }
}

TEST(PodEviction, WhatDoesNotRunNeedsNoBudget) {
  const std::vector<std::string> none = {budget("disruptionsAllowed: 0")};
  for (const char* phase : {"Pending", "Succeeded", "Failed"}) {
    const std::string pod =
        "{metadata: {name: x, namespace: ns}, status: {phase: " + std::string(phase) + "}}";
    const auto result = evicted(pod, none);
    ASSERT_TRUE(result.ok()) << phase;
    EXPECT_EQ(result->depends_on_pod_version, std::string(phase) == "Pending");
  }
  EXPECT_TRUE(
      evicted("{metadata: {namespace: ns, deletionTimestamp: now}, status: {phase: Running}}", none)
          .ok());
}

TEST(PodEviction, RefusesBudgetsThatMakeNoSense) {
  EXPECT_EQ(evicted(kReady, {budget("disruptionsAllowed: -1")}).error().code, Code::Forbidden);
}

}  // namespace
}  // namespace berth::apiserver

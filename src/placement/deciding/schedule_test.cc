#include "placement/deciding/schedule.h"

#include <gtest/gtest.h>

#include "placement/testing/fleet_builder.h"

namespace berth::placement {
namespace {

using namespace std::chrono_literals;
using testing::chosen;
using testing::FleetBuilder;
using testing::misconfigured;
using testing::placement_object;
using testing::plan;
using testing::satisfied;

std::string policy(std::string_view mode, std::string_view configurations,
                   std::string_view more = "") {
  return fmt::format(R"({{"prioritizerPolicy":{{"mode":"{}","configurations":{}}}{}}})", mode,
                     configurations, more);
}

constexpr std::string_view kByLoad =
    R"([{"scoreCoordinate":{"type":"AddOn","addOn":{"resourceName":"demo","scoreName":"load"}},"weight":1}])";
constexpr std::string_view kAgainstLoad =
    R"([{"scoreCoordinate":{"type":"AddOn","addOn":{"resourceName":"demo","scoreName":"load"}},"weight":-1}])";

TEST(Schedule, D1_NewClustersAreAllEqual) {
  FleetBuilder fleet;
  fleet.cluster("b").cluster("a");
  EXPECT_EQ(chosen(fleet), "a:100 b:100");
}

TEST(Schedule, D7_AnIncumbentLosesToAnEmptyCluster) {
  FleetBuilder fleet;
  fleet.cluster("a").cluster("b").decision({"b"}).decision({"b"}, "q");
  EXPECT_EQ(chosen(fleet, R"({"numberOfClusters":1})"), "a:100");
}

TEST(Schedule, D8_AnIncumbentStaysAgainstAnEqual) {
  FleetBuilder fleet;
  fleet.cluster("a").cluster("b").decision({"b"});
  EXPECT_EQ(chosen(fleet, R"({"numberOfClusters":1})"), "b:200");
}

TEST(Schedule, D9_TwoPlacementsTakeDifferentClusters) {
  FleetBuilder fleet;
  fleet.cluster("a").cluster("b").decision({"a"}, "q");
  EXPECT_EQ(chosen(fleet, R"({"numberOfClusters":1})"), "b:100");
}

TEST(Schedule, D10_TwoResourcesAddUp) {
  FleetBuilder fleet;
  fleet.cluster("a", R"({"cpu":"10","memory":"50"})").cluster("b", R"({"cpu":"7","memory":"90"})");
  fleet.cluster("c", R"({"cpu":"9","memory":"80"})");
  EXPECT_EQ(chosen(fleet, policy("Exact", R"([
      {"scoreCoordinate":{"type":"BuiltIn","builtIn":"ResourceAllocatableCPU"},"weight":1},
      {"scoreCoordinate":{"type":"BuiltIn","builtIn":"ResourceAllocatableMemory"},"weight":1}])",
                                 R"(,"numberOfClusters":2)")),
            "c:83 a:0");
}

TEST(Schedule, D13_WithANegativeWeightNoDataBeatsTheBest) {
  FleetBuilder fleet;
  fleet.cluster("a", R"({"cpu":"10"})").cluster("b");
  EXPECT_EQ(chosen(fleet, policy("Exact", R"([{"scoreCoordinate":{"type":"BuiltIn",
      "builtIn":"ResourceAllocatableCPU"},"weight":-1}])")),
            "b:0 a:-100");
}

TEST(Schedule, D16_SilenceIsZeroUnderAPositiveWeight) {
  FleetBuilder fleet;
  fleet.cluster("a").cluster("b").cluster("c").score("b", "demo", {{"other", 9}});
  fleet.score("c", "demo", {{"load", -50}});
  EXPECT_EQ(chosen(fleet, policy("Exact", kByLoad)), "a:0 b:0 c:-50");
  EXPECT_EQ(chosen(fleet, policy("Exact", kByLoad), ocm_exact()), "a:0 b:0 c:-50");
}

TEST(Schedule, D16_SilenceIsTheWorstUnderANegativeWeightUnlessExact) {
  FleetBuilder fleet;
  fleet.cluster("a").cluster("c").score("c", "demo", {{"load", 50}});
  EXPECT_EQ(chosen(fleet, policy("Exact", kAgainstLoad)), "c:-50 a:-100");
  EXPECT_EQ(chosen(fleet, policy("Exact", kAgainstLoad), ocm_exact()), "a:0 c:-50");
}

TEST(Schedule, ThePolicyForSilenceIsAnAnnotation) {
  FleetBuilder fleet;
  fleet.cluster("a").cluster("b").cluster("c").score("c", "demo", {{"load", -50}});
  fleet.score("b", "demo", {{"load", 50}}, Time(500s));
  const auto with = [&fleet](std::string_view word, const Options& options = {}) {
    json::Value object = placement_object(policy("Exact", kByLoad));
    object["metadata"]["annotations"][api::kMissingScoresAnnotation] = word;
    return chosen(fleet,
                  schedule(testing::compiled(object, options), fleet.view(), fleet.now(), options));
  };
  EXPECT_EQ(with("Neutral"), "a:0 b:0 c:-50");
  EXPECT_EQ(with("Exclude"), "c:-50");
  EXPECT_EQ(with("Worst"), "c:-50 a:-100 b:-100");
  EXPECT_EQ(with("Exclude", ocm_exact()), "a:0 b:0 c:-50");
}

TEST(Schedule, ExcludingTheSilentRanksTheOthersAmongThemselves) {
  FleetBuilder fleet;
  fleet.cluster("a", R"({"cpu":"100"})").cluster("b", R"({"cpu":"10"})");
  fleet.cluster("c", R"({"cpu":"5"})").score("b", "demo", {{"load", 0}});
  fleet.score("c", "demo", {{"load", 0}});
  const Options options{.missing_scores = MissingScores::Exclude};
  EXPECT_EQ(chosen(fleet, policy("Exact", R"([
      {"scoreCoordinate":{"type":"BuiltIn","builtIn":"ResourceAllocatableCPU"},"weight":1},
      {"scoreCoordinate":{"type":"AddOn","addOn":{"resourceName":"demo","scoreName":"load"}},"weight":1}])"),
                   options),
            "b:100 c:-100");
}

TEST(Schedule, TheConditionNamesTheSilentUnlessExact) {
  FleetBuilder fleet;
  fleet.cluster("a").cluster("b").score("b", "demo", {{"load", 5}});
  EXPECT_EQ(satisfied(plan(fleet, policy("Exact", kByLoad))),
            "True AllDecisionsScheduled All cluster decisions scheduled; "
            "no valid score AddOn/demo/load from a");
  EXPECT_EQ(satisfied(plan(fleet, policy("Exact", kByLoad), ocm_exact())),
            "True AllDecisionsScheduled All cluster decisions scheduled");
}

TEST(Schedule, TheConditionStandsStillWhileAFleetFallsSilent) {
  constexpr int kClusters = 100;
  FleetBuilder fleet;
  for (int i = 0; i < kClusters; ++i) {
    const std::string name = fmt::format("c{:04}", i);
    fleet.cluster(name).score(name, "demo", {{"load", 5}}, Time(2000s - std::chrono::seconds(i)));
  }
  json::Value object = placement_object(policy("Exact", kByLoad));
  object = fleet.apply(object, plan(fleet, object));
  int writes = 0;
  for (int i = 0; i <= kClusters; ++i) {
    const Plan planned = plan(fleet.at(2000s - std::chrono::seconds(kClusters - i)), object);
    if (!planned.writes.empty()) ++writes;
    object = fleet.apply(object, planned);
  }
  EXPECT_LE(writes, 11);
  EXPECT_TRUE(satisfied(plan(fleet, policy("Exact", kByLoad)))
                  .ends_with("no valid score AddOn/demo/load from more than 10 clusters"));
}

TEST(Schedule, D17_AnExpiredScoreIsZeroAndAWarning) {
  FleetBuilder fleet;
  fleet.cluster("b").cluster("a").score("a", "demo", {{"load", 70}}, Time(999s));
  fleet.score("b", "demo", {{"load", 70}}, Time(500s));
  for (const Options& options : {Options(), ocm_exact()}) {
    const Schedule result = testing::schedule(fleet, policy("Exact", kByLoad), options);
    EXPECT_EQ(chosen(fleet, result), "a:0 b:0");
    EXPECT_EQ(result.outcome, (ScheduleOutcome{ScheduleOutcome::Code::Warning, "AddOn/demo/load",
                                               "AddOnPlacementScores a/demo b/demo expired"}));
  }
}

TEST(Schedule, AScoreEndsAtItsValidUntilAndTheTimerIsSetThere) {
  FleetBuilder fleet;
  fleet.cluster("a").cluster("b").score("a", "demo", {{"load", 70}}, Time(1000s + 60s));
  fleet.score("b", "demo", {{"load", 20}}, Time(5000s));
  const std::string spec = policy("Exact", kByLoad, R"(,"numberOfClusters":1)");
  EXPECT_EQ(testing::schedule(fleet, spec).valid_until, Time(1060s));
  EXPECT_EQ(chosen(fleet, spec), "a:70");
  EXPECT_EQ(chosen(fleet.at(1060s), spec), "b:20");
  EXPECT_EQ(testing::schedule(fleet, spec).valid_until, Time(5000s));
}

TEST(Schedule, F8_ExactSetsNoTimerForScoresAndCountsTheLastInstant) {
  FleetBuilder fleet;
  fleet.cluster("a").score("a", "demo", {{"load", 70}}, Time(1000s));
  EXPECT_EQ(testing::schedule(fleet, policy("Exact", kByLoad), ocm_exact()).valid_until,
            std::nullopt);
  EXPECT_EQ(chosen(fleet, policy("Exact", kByLoad), ocm_exact()), "a:70");
  EXPECT_EQ(chosen(fleet.at(1001s), policy("Exact", kByLoad), ocm_exact()), "a:0");
}

TEST(Schedule, D18_D20_WeightsAddUp) {
  FleetBuilder fleet;
  fleet.cluster("a").score("a", "demo", {{"load", 7}});
  EXPECT_EQ(chosen(fleet, policy("Exact", R"([
      {"scoreCoordinate":{"type":"AddOn","addOn":{"resourceName":"demo","scoreName":"load"}},"weight":1},
      {"scoreCoordinate":{"type":"AddOn","addOn":{"resourceName":"demo","scoreName":"load"}},"weight":2}])")),
            "a:21");
  fleet.decision({"a"});
  EXPECT_EQ(chosen(fleet, policy("Additive", R"([{"scoreCoordinate":{"type":"BuiltIn",
      "builtIn":"Steady","addOn":{"resourceName":"x","scoreName":"y"}},"weight":4}])",
                                 R"(,"numberOfClusters":1)")),
            "a:600");
}

TEST(Schedule, D21_OnlyBalanceIsLeft) {
  FleetBuilder fleet;
  fleet.cluster("a").decision({"a"});
  EXPECT_EQ(chosen(fleet, policy("Additive", R"([{"scoreCoordinate":{"type":"BuiltIn",
      "builtIn":"Steady"},"weight":0}])")),
            "a:100");
}

TEST(Schedule, D23_AnUnknownBuiltInIsMisconfigured) {
  FleetBuilder fleet;
  fleet.cluster("a");
  const Plan planned = plan(fleet, policy("Additive", R"([{"scoreCoordinate":{"type":"BuiltIn",
      "builtIn":"Spread"},"weight":1}])"));
  EXPECT_EQ(misconfigured(planned), "True Misconfigured :incorrect builtin prioritizer: Spread");
  EXPECT_EQ(satisfied(planned),
            "False NoManagedClusterMatched No ManagedCluster matches any of the cluster predicate");
}

TEST(Schedule, D24_AnAddOnNeedsItsCoordinate) {
  FleetBuilder fleet;
  fleet.cluster("a");
  EXPECT_EQ(misconfigured(plan(
                fleet, policy("Exact", R"([{"scoreCoordinate":{"type":"AddOn"},"weight":1}])"))),
            "True Misconfigured :addOn should not be empty");
}

TEST(Schedule, D25_ExactWithoutConfigurationsGoesByName) {
  FleetBuilder fleet;
  fleet.cluster("a").cluster("b").decision({"b"});
  EXPECT_EQ(chosen(fleet, policy("Exact", "[]", R"(,"numberOfClusters":1)")), "a:0");
}

TEST(Schedule, E1_E2_E3_NumbersOfClusters) {
  FleetBuilder fleet;
  fleet.cluster("a").cluster("b");
  EXPECT_EQ(testing::schedule(fleet, R"({"numberOfClusters":5})").unscheduled, 3);
  EXPECT_EQ(satisfied(plan(fleet, R"({"numberOfClusters":5})")),
            "False NotAllDecisionsScheduled 3 cluster decisions unscheduled");
  EXPECT_TRUE(satisfied(plan(fleet, R"({"numberOfClusters":0})"))
                  .starts_with("False NoManagedClusterMatched"));
  for (const Options& options : {Options(), ocm_exact()}) {
    const Plan negative = plan(fleet, R"({"numberOfClusters":-1})", options);
    EXPECT_TRUE(satisfied(negative).starts_with("False NoManagedClusterMatched"));
  }
  EXPECT_TRUE(satisfied(plan(fleet, R"({"numberOfClusters":-1})"))
                  .ends_with("; a negative numberOfClusters counts as 0"));
}

TEST(Schedule, ANegativeWeightForSteadyIsRemarkedOn) {
  FleetBuilder fleet;
  fleet.cluster("a");
  EXPECT_TRUE(satisfied(plan(fleet, policy("Exact", R"([{"scoreCoordinate":{"type":"BuiltIn",
      "builtIn":"Steady"},"weight":-2}])")))
                  .contains("; a negative weight for Steady"));
}

TEST(Schedule, AMinimumGainKeepsTheIncumbent) {
  FleetBuilder fleet;
  fleet.cluster("a").cluster("b").decision({"b"}).score("a", "demo", {{"load", 14}});
  fleet.score("b", "demo", {{"load", 10}});
  const auto with = [&fleet](std::string_view gain) {
    json::Value object = placement_object(policy("Exact", kByLoad, R"(,"numberOfClusters":1)"));
    object["metadata"]["annotations"][api::kMinGainAnnotation] = gain;
    return schedule(testing::compiled(object), fleet.view(), fleet.now(), {});
  };
  EXPECT_EQ(chosen(fleet, with("3")), "a:14");
  EXPECT_EQ(chosen(fleet, with("4")), "b:10");
  ASSERT_EQ(with("10").held.size(), 1U);
  EXPECT_EQ(with("10").held[0].lead, 4);
  EXPECT_EQ(fleet.view().name(with("10").held[0].rival), "a");
  EXPECT_EQ(chosen(fleet, with("0")), "a:14");
  EXPECT_FALSE(with("often").remarks.empty());
}

TEST(Schedule, AScoreThatEqualsTheIncumbentsMovesNothingUnderAMinimumGain) {
  FleetBuilder fleet;
  fleet.cluster("a").cluster("b").decision({"b"});
  json::Value object = placement_object(policy("Exact", "[]", R"(,"numberOfClusters":1)"));
  object["metadata"]["annotations"][api::kMinGainAnnotation] = "1";
  EXPECT_EQ(chosen(fleet, schedule(testing::compiled(object), fleet.view(), fleet.now(), {})),
            "b:0");
}

}  // namespace
}  // namespace berth::placement

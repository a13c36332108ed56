#include "placement/deciding/candidates.h"

#include <gtest/gtest.h>

#include "placement/testing/fleet_builder.h"

namespace berth::placement {
namespace {

using testing::chosen;
using testing::FleetBuilder;
using testing::misconfigured;
using testing::parsed;
using testing::placement_object;
using testing::plan;
using testing::satisfied;
using testing::status_patch;
using testing::writes;

constexpr std::string_view kByLabel =
    R"({"selectorType":"LabelSelector","labelSelector":{"matchLabels":{"env":"prod"}}})";
constexpr std::string_view kBroken = R"({"selectorType":"LabelSelector",
    "labelSelector":{"matchExpressions":[{"key":"a","operator":"Nope"}]}})";

TEST(Candidates, A1_WithoutABindingOneEmptyDecisionExists) {
  auto fleet = FleetBuilder::unbound();
  fleet.set("s").cluster("a");
  const Plan planned = plan(fleet);
  EXPECT_EQ(writes(planned), "create p-decision-1, placement");
  EXPECT_EQ(planned.writes[0].body.find("status"), nullptr);
  EXPECT_EQ(satisfied(planned),
            "False NoManagedClusterSetBindings "
            "No valid ManagedClusterSetBindings found in placement namespace");
  EXPECT_EQ(status_patch(planned).find("numberOfSelectedClusters"), nullptr);
  EXPECT_EQ(*status_patch(planned).find("decisionGroups"),
            parsed(R"([{"decisionGroupIndex":0,"decisionGroupName":"",
                        "decisions":["p-decision-1"],"clusterCount":0}])"));
  ASSERT_EQ(planned.writes[0].notices.size(), 1U);
  EXPECT_EQ(planned.writes[0].notices[0].reason, "DecisionCreate");
}

TEST(Candidates, A2_ABindingOfAMissingSetIsNone) {
  auto fleet = FleetBuilder::unbound();
  fleet.bind("s");
  EXPECT_TRUE(satisfied(plan(fleet)).starts_with("False NoManagedClusterSetBindings"));
}

TEST(Candidates, A3_NoIntersectionNamesTheWantedSetsInTheirOrder) {
  EXPECT_EQ(
      satisfied(plan(FleetBuilder(), R"({"clusterSets":["x","y"]})")),
      "False NoIntersection None of ManagedClusterSets [x,y] is bound to placement namespace");
}

TEST(Candidates, A4_EmptySetsAreNamedSorted) {
  FleetBuilder fleet;
  fleet.set("s1").set("s2").bind("s1").bind("s2");
  EXPECT_EQ(satisfied(plan(fleet, R"({"clusterSets":["s2","s1"]})")),
            "False AllManagedClusterSetsEmpty "
            "All ManagedClusterSets [s1,s2] have no member ManagedCluster");
}

TEST(Candidates, A5_TheBindingsNameGrantsTheSet) {
  auto fleet = FleetBuilder::unbound();
  fleet.set("s").set("t").cluster("a");
  api::ManagedClusterSetBinding binding{.cluster_set = "t"};
  binding.facts = {.name = "s", .object_namespace = "ns1"};
  fleet.view().put_binding(binding);
  EXPECT_EQ(chosen(fleet), "a:100");
}

TEST(Candidates, A7_ASetWithoutALabelSelectorHasNobody) {
  auto fleet = FleetBuilder::unbound();
  fleet.set("l", R"({"selectorType":"LabelSelector"})").bind("l").cluster("a");
  EXPECT_TRUE(satisfied(plan(fleet)).starts_with("False AllManagedClusterSetsEmpty"));
}

TEST(Candidates, A8_AnEmptyLabelSelectorHasEverybody) {
  auto fleet = FleetBuilder::unbound();
  fleet.set("global", R"({"selectorType":"LabelSelector","labelSelector":{}})").bind("global");
  fleet.cluster("a").cluster("b");
  EXPECT_EQ(chosen(fleet), "a:100 b:100");
}

TEST(Candidates, A9_AClusterInTwoSetsCountsOnce) {
  FleetBuilder fleet;
  fleet.set("l", kByLabel).bind("l").cluster("a", R"({"labels":{"env":"prod"}})");
  EXPECT_EQ(chosen(fleet), "a:100");
}

TEST(Candidates, A10_ATerminatingClusterIsDroppedAtOnceButStaysAMember) {
  FleetBuilder fleet;
  fleet.cluster("a", R"({"deleting":true})").cluster("b").decision({"a"});
  EXPECT_EQ(chosen(fleet), "b:100");
  EXPECT_EQ(fleet.view().sets().find("s")->members().count(), 2U);
}

TEST(Candidates, A11_AcceptanceIsNotAskedFor) {
  FleetBuilder fleet;
  fleet.put_cluster(parsed(R"({"metadata":{"name":"a","labels":{
      "cluster.open-cluster-management.io/clusterset":"s"}},"spec":{"hubAcceptsClient":false}})"));
  EXPECT_EQ(chosen(fleet), "a:100");
}

TEST(Candidates, A12_ABrokenSetThatIsNotBoundHurtsNobody) {
  FleetBuilder fleet;
  fleet.set("bad", kBroken).cluster("a");
  EXPECT_EQ(chosen(fleet), "a:100");
}

TEST(Candidates, A13_ABrokenBoundSetFailsTheRunAndWritesNothing) {
  FleetBuilder fleet;
  fleet.set("bad", kBroken).bind("bad").cluster("a");
  for (const Options& options : {Options(), ocm_exact()}) {
    const auto planned =
        plan_placement(testing::compiled("{}", options), fleet.view(), fleet.now(), options);
    EXPECT_EQ(planned.error().message,
              "failed to get clusters from ClusterSet \"bad\": "
              "\"Nope\" is not a valid label selector operator");
  }
  EXPECT_EQ(chosen(fleet, R"({"clusterSets":["s"]})"), "a:100");
}

TEST(Candidates, A13_SoDoesASelectorTypeThatNobodyKnows) {
  FleetBuilder fleet;
  fleet.set("odd", R"({"selectorType":"Legacy"})").bind("odd");
  EXPECT_TRUE(testing::schedule(fleet).failure.has_value());
}

TEST(Candidates, A14_ADisabledPlacementIsLeftAlone) {
  FleetBuilder fleet;
  fleet.cluster("a");
  json::Value object = placement_object();
  object["metadata"]["annotations"][api::kSchedulingDisableAnnotation] = "true";
  const Plan planned = plan(fleet, object);
  EXPECT_TRUE(planned.is_ignored);
  EXPECT_EQ(writes(planned), "");
}

TEST(Candidates, A15_OnlyTheExactWordDisables) {
  FleetBuilder fleet;
  fleet.cluster("a");
  json::Value object = placement_object();
  object["metadata"]["annotations"][api::kSchedulingDisableAnnotation] = "True";
  EXPECT_FALSE(plan(fleet, object).is_ignored);
}

TEST(Candidates, WantedSetsLimitTheChoice) {
  FleetBuilder fleet;
  fleet.set("l", kByLabel).bind("l").cluster("a").cluster("b", R"({"labels":{"env":"prod"}})");
  EXPECT_EQ(chosen(fleet, R"({"clusterSets":["l"]})"), "b:100");
  EXPECT_EQ(chosen(fleet), "a:100 b:100");
}

}  // namespace
}  // namespace berth::placement

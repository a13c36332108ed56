#include "placement/explaining/explain.h"

#include <gtest/gtest.h>

#include "placement/testing/fleet_builder.h"

namespace berth::placement {
namespace {

using namespace std::chrono_literals;
using testing::compiled;
using testing::FleetBuilder;
using testing::parsed;
using Kind = ClusterVerdict::Kind;

constexpr std::string_view kOneByLoad =
    R"({"numberOfClusters":1,"prioritizerPolicy":{"mode":"Exact",
    "configurations":[{"scoreCoordinate":{"type":"AddOn","addOn":{"resourceName":"demo",
    "scoreName":"load"}},"weight":2}]}})";

FleetBuilder scored() {
  FleetBuilder fleet;
  fleet.cluster("a").score("a", "demo", {{"load", 40}});
  fleet.cluster("b").score("b", "demo", {{"load", 37}}).cluster("c");
  return fleet;
}

ClusterVerdict explain_one(const FleetBuilder& fleet, std::string_view spec,
                           std::string_view cluster, const Options& options = {}) {
  return explain_cluster(compiled(spec, options), fleet.view(), fleet.now(), options, cluster);
}

TEST(Explain, TellsScoresWeightsAndRank) {
  const auto verdict = explain_one(scored(), kOneByLoad, "a");
  EXPECT_EQ(verdict.kind, Kind::Chosen);
  EXPECT_EQ(verdict.rank, 1U);
  EXPECT_EQ(verdict.total, 80);
  ASSERT_EQ(verdict.scores.size(), 1U);
  EXPECT_EQ(verdict.scores[0].points, 40);
  EXPECT_EQ(verdict.scores[0].weight, 2);
  EXPECT_TRUE(verdict.remedies.empty());
}

TEST(Explain, TellsHowManyPointsAreMissing) {
  // b (74) has to reach more than 80 because a comes first by name.
  EXPECT_EQ(explain_one(scored(), kOneByLoad, "b").remedies,
            (std::vector<std::string>{"7 more points"}));
  const auto silent = explain_one(scored(), kOneByLoad, "c");
  EXPECT_EQ(silent.kind, Kind::Outranked);
  EXPECT_EQ(silent.scores[0].note, "no report");
  EXPECT_EQ(silent.remedies, (std::vector<std::string>{"81 more points"}));
}

TEST(Explain, EveryRemedyIsEnoughAndNotTooMuch) {
  auto fleet = scored();
  fleet.score("b", "demo", {{"load", 40}});  // 80: one point short.
  EXPECT_EQ(explain_one(fleet, kOneByLoad, "b").remedies,
            (std::vector<std::string>{"1 more point"}));
  fleet.score("b", "demo", {{"load", 41}});
  EXPECT_EQ(explain_one(fleet, kOneByLoad, "b").kind, Kind::Chosen);
}

TEST(Explain, ARejectedClusterMayNeedPointsToo) {
  auto fleet = scored();
  fleet.cluster("b", R"({"taints":[{"key":"k","effect":"NoSelect"}]})");
  const auto verdict = explain_one(fleet, kOneByLoad, "b");
  EXPECT_EQ(verdict.kind, Kind::Rejected);
  EXPECT_EQ(verdict.rejected_by, "TaintToleration");
  EXPECT_EQ(verdict.remedies,
            (std::vector<std::string>{"a toleration for k:NoSelect", "7 more points"}));
  EXPECT_EQ(explain_one(fleet, "{}", "b").remedies,
            (std::vector<std::string>{"a toleration for k:NoSelect"}));
}

TEST(Explain, AClusterOutsideTheSetsIsUnavailable) {
  FleetBuilder fleet;
  fleet.set("t").cluster("a",
                         R"({"labels":{"cluster.open-cluster-management.io/clusterset":"t"}})");
  const auto verdict = explain_one(fleet, "{}", "a");
  EXPECT_EQ(verdict.kind, Kind::Unavailable);
  EXPECT_EQ(verdict.objections[0].reason, "is in [t], the placement may use [s]");
  EXPECT_EQ(explain_one(fleet, "{}", "nobody").kind, Kind::Unknown);
}

TEST(Explain, ATerminatingClusterIsUnavailable) {
  FleetBuilder fleet;
  fleet.cluster("a", R"({"deleting":true})");
  EXPECT_EQ(explain_one(fleet, "{}", "a").objections[0].reason, "the cluster is being deleted");
}

TEST(Explain, AnAvoidedClusterNeedsItsTaintGone) {
  FleetBuilder fleet;
  fleet.cluster("a", R"({"taints":[{"key":"k","effect":"PreferNoSelect"}]})").cluster("b");
  const auto verdict = explain_one(fleet, R"({"numberOfClusters":1})", "a");
  EXPECT_TRUE(verdict.is_avoided);
  EXPECT_EQ(verdict.remedies, (std::vector<std::string>{"no PreferNoSelect taint"}));
}

TEST(Explain, AHeldMoveIsTold) {
  auto fleet = scored();
  fleet.decision({"b"});
  json::Value object = testing::placement_object(kOneByLoad);
  object["metadata"]["annotations"][api::kMinGainAnnotation] = "10";
  const auto verdict = explain_cluster(compiled(object), fleet.view(), fleet.now(), {}, "b");
  EXPECT_EQ(verdict.kind, Kind::Chosen);
  EXPECT_EQ(verdict.note, "a leads b by 6, margin 10");
}

TEST(Explain, ASpreadPolicyCanForbidACluster) {
  FleetBuilder fleet;
  fleet.cluster("a", R"({"labels":{"zone":"1"}})").cluster("b", R"({"labels":{"zone":"1"}})");
  fleet.cluster("c", R"({"labels":{"zone":"2"}})");
  const auto verdict = explain_one(fleet, R"({"numberOfClusters":3,"spreadPolicy":{
      "spreadConstraints":[{"topologyKey":"zone","topologyKeyType":"Label","maxSkew":1,
      "whenUnsatisfiable":"DoNotSchedule"}]}})",
                                   "b");
  EXPECT_EQ(verdict.kind, Kind::Chosen);  // Two in zone 1, one in zone 2: a skew of 1.
  fleet.cluster("b2", R"({"labels":{"zone":"1"}})").cluster("d");
  const auto without = explain_one(fleet, R"({"spreadPolicy":{
      "spreadConstraints":[{"topologyKey":"zone","topologyKeyType":"Label",
      "whenUnsatisfiable":"DoNotSchedule"}]}})",
                                   "d");
  EXPECT_EQ(without.kind, Kind::Outranked);
  EXPECT_EQ(without.remedies.size(), 1U);
  EXPECT_TRUE(without.remedies[0].starts_with("another topology"));
}

TEST(Explain, AMisconfiguredPlacementSaysSo) {
  FleetBuilder fleet;
  fleet.cluster("a");
  const auto explanation =
      explain(compiled(R"({"tolerations":[{}]})"), fleet.view(), fleet.now(), {});
  EXPECT_EQ(explanation.schedule.outcome.plugin, "TaintToleration");
  EXPECT_EQ(explanation.clusters[0].kind, Kind::Rejected);
}

}  // namespace
}  // namespace berth::placement

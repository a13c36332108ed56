#include "placement/waking/dependencies.h"

#include <gtest/gtest.h>

#include "placement/testing/fleet_builder.h"

namespace berth::placement {
namespace {

using namespace std::chrono_literals;
using testing::FleetBuilder;
using testing::parsed;

// Placements in ns1 by name with their specs, and what a change wakes.
class Woken {
 public:
  explicit Woken(FleetBuilder& fleet) : fleet_(fleet) {}

  Woken& placement(std::string_view name, std::string_view spec,
                   std::string_view object_namespace = "ns1", const Options& options = {}) {
    json::Value object = testing::placement_object(spec);
    object["metadata"]["name"] = name;
    object["metadata"]["namespace"] = object_namespace;
    dependencies_.put(testing::compiled(object, options), options);
    return *this;
  }

  std::string by(const FleetChange& change) const {
    std::string names;
    for (const api::ObjectKey& key : dependencies_.affected(change, fleet_.view().sets())) {
      names += (names.empty() ? "" : " ") + key.name;
    }
    return names;
  }

  std::string by_cluster(std::string_view extra) {
    FleetBuilder other;
    json::Value object = json::Value::object();
    // The builder knows how to write a cluster; its object is taken over.
    other.cluster("a", extra);
    object = *other.view().clusters()[*other.view().clusters().find("a")].object;
    return by(fleet_.view().put_cluster(api::read_managed_cluster(object),
                                        std::make_shared<const json::Value>(object)));
  }

  Dependencies& dependencies() { return dependencies_; }

 private:
  FleetBuilder& fleet_;
  Dependencies dependencies_;
};

constexpr std::string_view kByEnv =
    R"({"predicates":[{"requiredClusterSelector":{"labelSelector":{"matchLabels":{"env":"prod"}}}}]})";
constexpr std::string_view kByZone = R"({"predicates":[{"requiredClusterSelector":{"claimSelector":
    {"matchExpressions":[{"key":"zone","operator":"Exists"}]}}}]})";
constexpr std::string_view kByCpu = R"({"prioritizerPolicy":{"mode":"Exact","configurations":[
    {"scoreCoordinate":{"type":"BuiltIn","builtIn":"ResourceAllocatableCPU"},"weight":1}]}})";
constexpr std::string_view kByScore = R"({"prioritizerPolicy":{"mode":"Exact","configurations":[
    {"scoreCoordinate":{"type":"AddOn","addOn":{"resourceName":"r","scoreName":"s"}},"weight":1}]}})";
constexpr std::string_view kCelScore = R"({"predicates":[{"requiredClusterSelector":{"celSelector":
    {"celExpressions":["managedCluster.scores(\"r\").size() > 0"]}}}]})";
constexpr std::string_view kCelAnyScore =
    R"({"predicates":[{"requiredClusterSelector":{"celSelector":
    {"celExpressions":["managedCluster.scores(\"r\" + \"\").size() > 0"]}}}]})";

TEST(Dependencies, AChangeWakesOnlyThoseThatReadWhatChanged) {
  FleetBuilder fleet;
  fleet.cluster("a");
  Woken woken(fleet);
  woken.placement("env", kByEnv).placement("zone", kByZone).placement("cpu", kByCpu);
  woken.placement("plain", "{}").placement("cel", kCelScore);
  EXPECT_EQ(woken.by_cluster("{}"), "");
  EXPECT_EQ(woken.by_cluster(R"({"labels":{"env":"prod"}})"), "cel env");
  EXPECT_EQ(woken.by_cluster(R"({"labels":{"env":"prod","other":"x"}})"), "cel");
  EXPECT_EQ(woken.by_cluster(R"({"labels":{"env":"prod","other":"x"},"claims":{"zone":"1"}})"),
            "cel zone");
  EXPECT_EQ(
      woken.by_cluster(R"({"labels":{"env":"prod","other":"x"},"claims":{"zone":"1"},"cpu":"4"})"),
      "cel cpu");
  EXPECT_EQ(woken.by_cluster(R"({"taints":[{"key":"k","effect":"NoSelect"}]})"),
            "cel cpu env plain zone");
  EXPECT_EQ(woken.by(fleet.view().remove_cluster("a")), "cel cpu env plain zone");
}

TEST(Dependencies, B22_ScoresWakeThoseThatReadThem) {
  FleetBuilder fleet;
  fleet.cluster("a");
  Woken woken(fleet);
  woken.placement("score", kByScore).placement("cel", kCelScore).placement("any", kCelAnyScore);
  woken.placement("plain", "{}");
  const auto publish = [&](std::string_view cluster, std::string_view report, std::string_view name,
                           int value, std::optional<Time> until = std::nullopt) {
    api::AddOnPlacementScore score{.scores = {{std::string(name), value}}, .valid_until = until};
    score.facts = {.name = std::string(report), .object_namespace = std::string(cluster)};
    return woken.by(fleet.view().put_score(score));
  };
  EXPECT_EQ(publish("a", "r", "s", 1), "any cel score");
  EXPECT_EQ(publish("a", "r", "s", 1), "");
  EXPECT_EQ(publish("a", "r", "s", 2), "any cel score");
  EXPECT_EQ(publish("a", "r", "s", 2, Time(9s)), "any cel score");
  EXPECT_EQ(publish("a", "other", "s", 2), "any");
  EXPECT_EQ(publish("ghost", "r", "s", 2), "");
}

TEST(Dependencies, OtherScoresOfTheSameObjectWakeOnlyExpressions) {
  FleetBuilder fleet;
  fleet.cluster("a").score("a", "r", {{"s", 1}, {"t", 1}});
  Woken woken(fleet);
  woken.placement("score", kByScore).placement("cel", kCelScore);
  api::AddOnPlacementScore score{.scores = {{"s", 1}, {"t", 2}}};
  score.facts = {.name = "r", .object_namespace = "a"};
  EXPECT_EQ(woken.by(fleet.view().put_score(score)), "cel");
}

TEST(Dependencies, D28_AClusterThatNobodySeesWakesNobody) {
  FleetBuilder fleet;
  fleet.set("t").cluster("a",
                         R"({"labels":{"cluster.open-cluster-management.io/clusterset":"t"}})");
  Woken woken(fleet);
  woken.placement("score", kByScore);
  api::AddOnPlacementScore score{.scores = {{"s", 1}}};
  score.facts = {.name = "r", .object_namespace = "a"};
  EXPECT_EQ(woken.by(fleet.view().put_score(score)), "");
  EXPECT_EQ(woken.by(fleet.view().remove_cluster("a")), "");
}

TEST(Dependencies, A16_AMoveBetweenSetsWakesBothSides) {
  FleetBuilder fleet;
  fleet.set("t").bind("t").cluster("a");
  Woken woken(fleet);
  woken.placement("in_s", R"({"clusterSets":["s"]})").placement("in_t", R"({"clusterSets":["t"]})");
  woken.placement("in_u", R"({"clusterSets":["u"]})");
  EXPECT_EQ(woken.by_cluster(R"({"labels":{"cluster.open-cluster-management.io/clusterset":"t"}})"),
            "in_s in_t");
}

TEST(Dependencies, A6_ASetWakesThoseWhoseBindingHasItsName) {
  FleetBuilder fleet;
  fleet.cluster("a");
  Woken woken(fleet);
  woken.placement("p", "{}").placement("elsewhere", "{}", "ns2");
  EXPECT_EQ(woken.by(fleet.view().remove_set("s")), "p");
  EXPECT_EQ(woken.by(fleet.view().remove_set("s")), "");
}

TEST(Dependencies, ASetThatOnlyChangesItsNamespacesWakesNobody) {
  FleetBuilder fleet;
  fleet.cluster("a");
  Woken woken(fleet);
  woken.placement("p", "{}");
  EXPECT_EQ(woken.by(fleet.view().put_set(api::read_managed_cluster_set(parsed(
                R"({"metadata":{"name":"s"},"spec":{"managedNamespaces":[{"name":"x"}]}})")))),
            "");
}

TEST(Dependencies, ABindingWakesThoseThatMayUseItOrHaveNothing) {
  FleetBuilder fleet;
  fleet.set("t").cluster("a");
  Woken woken(fleet);
  woken.placement("all", "{}").placement("in_s", R"({"clusterSets":["s"]})");
  woken.placement("in_t", R"({"clusterSets":["t"]})").placement("in_u", R"({"clusterSets":["u"]})");
  api::ManagedClusterSetBinding binding;
  binding.facts = {.name = "t", .object_namespace = "ns1"};
  EXPECT_EQ(woken.by(fleet.view().put_binding(binding)), "all in_t in_u");
  EXPECT_EQ(woken.by(fleet.view().put_binding(binding)), "");
  EXPECT_EQ(woken.by(fleet.view().remove_binding("ns1", "t")), "all in_t in_u");
}

TEST(Dependencies, F9_ADecisionWakesItsOwnPlacementOnly) {
  FleetBuilder fleet;
  fleet.cluster("a");
  Woken woken(fleet);
  woken.placement("p", "{}").placement("q", "{}");
  api::PlacementDecision decision{.decisions = {{.cluster = "a"}}};
  decision.facts = {
      .name = "x", .object_namespace = "ns1", .labels = {{std::string(api::kPlacementLabel), "p"}}};
  EXPECT_EQ(woken.by(fleet.view().put_decision(decision)), "p");
  decision.facts.labels[0].value = "q";
  EXPECT_EQ(woken.by(fleet.view().put_decision(decision)), "p q");
  EXPECT_EQ(woken.by(fleet.view().remove_decision("ns1", "x")), "q");
}

TEST(Dependencies, GroupsAndTopologiesAreReadToo) {
  FleetBuilder fleet;
  fleet.cluster("a");
  Woken woken(fleet);
  constexpr std::string_view kSpread = R"({"spreadPolicy":{"spreadConstraints":[
      {"topologyKey":"zone","topologyKeyType":"Label"}]}})";
  woken.placement("groups", R"({"decisionStrategy":{"groupStrategy":{"decisionGroups":[{
      "groupName":"gg","groupClusterSelector":{"labelSelector":{"matchLabels":{"g":"1"}}}}]}}})");
  woken.placement("spread", kSpread).placement("exact", kSpread, "ns1", ocm_exact());
  EXPECT_EQ(woken.by_cluster(R"({"labels":{"g":"1"}})"), "groups");
  EXPECT_EQ(woken.by_cluster(R"({"labels":{"g":"1","zone":"1"}})"), "spread");
}

TEST(Dependencies, ARemovedPlacementIsForgotten) {
  FleetBuilder fleet;
  fleet.cluster("a");
  Woken woken(fleet);
  woken.placement("p", kByEnv);
  woken.dependencies().remove({"ns1", "p"});
  woken.dependencies().remove({"ns1", "p"});
  EXPECT_EQ(woken.by_cluster(R"({"labels":{"env":"prod"}})"), "");
}

}  // namespace
}  // namespace berth::placement

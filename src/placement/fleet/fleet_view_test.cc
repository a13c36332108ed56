#include "placement/fleet/fleet_view.h"

#include <gtest/gtest.h>

#include "placement/testing/fleet_builder.h"

namespace berth::placement {
namespace {

using namespace std::chrono_literals;
using testing::FleetBuilder;

TEST(FleetView, TellsWhatChangedAboutACluster) {
  FleetView fleet;
  api::ManagedCluster cluster{.claims = {{"zone", "1"}}, .allocatable_cpu = 4.0};
  cluster.facts = {.name = "a", .labels = {{"env", "prod"}, {"x", "1"}}};
  const ClusterChange came = fleet.put_cluster(cluster);
  EXPECT_TRUE(came.availability);
  EXPECT_EQ(came.labels, (std::vector<std::string>{"env", "x"}));

  cluster.facts.labels = {{"env", "dev"}, {"y", "1"}};
  cluster.allocatable_cpu = 5.0;
  const ClusterChange changed = fleet.put_cluster(cluster);
  EXPECT_EQ(changed.labels, (std::vector<std::string>{"env", "x", "y"}));
  EXPECT_TRUE(changed.claims.empty());
  EXPECT_TRUE(changed.cpu);
  EXPECT_FALSE(changed.memory || changed.taints || changed.availability);

  const ClusterChange gone = fleet.remove_cluster("a");
  EXPECT_TRUE(gone.availability && gone.cpu);
  EXPECT_EQ(gone.claims, (std::vector<std::string>{"zone"}));
}

TEST(FleetView, BookkeepingIsNoChangeOfTheObject) {
  FleetView fleet;
  const auto put = [&fleet](std::string_view text) {
    const auto object = std::make_shared<const json::Value>(testing::parsed(text));
    return fleet.put_cluster(api::read_managed_cluster(*object), object).object;
  };
  EXPECT_TRUE(put(R"({"metadata":{"name":"a","resourceVersion":"1"},"status":{}})"));
  EXPECT_FALSE(
      put(R"({"metadata":{"name":"a","resourceVersion":"2","managedFields":[]},"status":{}})"));
  EXPECT_TRUE(put(R"({"metadata":{"name":"a","resourceVersion":"3"},"status":{"x":1}})"));
}

TEST(FleetView, MembershipFollowsLabels) {
  FleetBuilder fleet;
  fleet.set("l",
            R"({"selectorType":"LabelSelector","labelSelector":{"matchLabels":{"env":"prod"}}})");
  fleet.cluster("a");
  api::ManagedCluster cluster;
  cluster.facts = {.name = "a", .labels = {{"env", "prod"}}};
  const ClusterChange change = fleet.view().put_cluster(cluster);
  EXPECT_EQ(change.sets_before, (std::vector<std::string>{"s"}));
  EXPECT_EQ(change.sets_after, (std::vector<std::string>{"l"}));
}

TEST(FleetView, ScoresWaitForTheirCluster) {
  FleetBuilder fleet;
  fleet.score("a", "r", {{"s", 7}}).cluster("a");
  const auto index = fleet.view().clusters().find("a");
  EXPECT_TRUE(fleet.view().clusters()[*index].find_report(fleet.view().symbols().find("r")));
}

TEST(FleetView, NothingIsLeftOfWhatWasRemoved) {
  FleetBuilder fleet;
  fleet.cluster("a", R"({"labels":{"x":"y"},"claims":{"q":"r"}})").score("a", "r", {{"s", 7}});
  fleet.decision({"a", "ghost"});
  fleet.view().remove_decision("ns1", "p-decision-1");
  EXPECT_EQ(fleet.view().clusters().find("ghost"), std::nullopt);
  fleet.view().remove_score("a", "r");
  fleet.view().remove_cluster("a");
  EXPECT_EQ(fleet.view().clusters().find("a"), std::nullopt);
  fleet.view().remove_set("s");
  EXPECT_EQ(fleet.view().symbols().size(), 0U);
}

TEST(FleetView, RemovingWhatIsNotThereIsNoChange) {
  FleetView fleet;
  EXPECT_FALSE(fleet.remove_cluster("a").availability);
  EXPECT_FALSE(fleet.remove_score("a", "r").validity);
  EXPECT_FALSE(fleet.remove_set("s").matters);
  EXPECT_FALSE(fleet.remove_binding("n", "s").matters);
  EXPECT_TRUE(fleet.remove_decision("n", "d").placements.empty());
}

TEST(FleetView, LabelsAndClaimsCanBeReadBack) {
  FleetBuilder fleet;
  fleet.cluster("a", R"({"labels":{"x":"y"},"claims":{"q":"r"}})");
  const ClusterIndex a = *fleet.view().clusters().find("a");
  EXPECT_EQ(fleet.view().label(a, "x"), "y");
  EXPECT_EQ(fleet.view().claim(a, "q"), "r");
  EXPECT_EQ(fleet.view().label(a, "q"), std::nullopt);
  EXPECT_EQ(fleet.view().claim(a, "never heard of"), std::nullopt);
}

}  // namespace
}  // namespace berth::placement

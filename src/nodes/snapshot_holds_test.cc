// Tests of snapshot_holds.cc: the golden cases of what a hold keeps and who may claim it.
#include <gtest/gtest.h>

#include "nodes/testing/cluster_builder.h"

namespace berth::nodes {
namespace {

using namespace std::chrono_literals;
using testing::ClusterBuilder;
using testing::hold;

// What the holds of a node keep: "id:millicores ...".
std::string standing(ClusterBuilder& cluster, std::string_view node) {
  std::string text;
  for (const StandingHold& standing : cluster.snapshot().holds(cluster.slot(node))) {
    text += fmt::format("{}{}:{}", text.empty() ? "" : " ", standing.hold->id,
                        amount_in(standing.needs, kCpu));
  }
  return text;
}

std::string claim(ClusterBuilder& cluster, std::string_view node, std::string_view pod_extra,
                  std::string_view pod = "p") {
  const PendingPod pending = testing::pending(pod, pod_extra);
  const Cycle cycle = Cycle::of(cluster.snapshot(), pending);
  const StandingHold* found = cluster.snapshot().claim_on(cluster.slot(node), cycle.claimant());
  return found ? found->hold->id : "";
}

TEST(Holds, KeepWhatThePredecessorDoesNotUseAnyMore) {
  ClusterBuilder cluster;
  Hold held = hold("r", "n", "2", "d");
  held.predecessor_uid = "uid-old";
  cluster.node("n").pod("old", R"({"cpu":"1500m","node":"n"})").hold(held);
  EXPECT_EQ(standing(cluster, "n"), "r:500");
  cluster.snapshot().remove_pod("uid-old");
  EXPECT_EQ(standing(cluster, "n"), "r:2000");
}

TEST(Holds, DoNotCountAPredecessorOnAnotherNode) {
  ClusterBuilder cluster;
  Hold held = hold("r", "n", "2", "d");
  held.predecessor_uid = "uid-old";
  cluster.node("n").node("m").pod("old", R"({"cpu":"1","node":"m"})").hold(held);
  EXPECT_EQ(standing(cluster, "n"), "r:2000");
}

TEST(Holds, AreUsedUpByThePodThatClaimedThem) {
  ClusterBuilder cluster;
  cluster.node("n").node("m").hold(hold("r", "n", "2", "d"));
  cluster.pod("new", R"({"cpu":"1","node":"n","claim":"r"})");
  EXPECT_EQ(standing(cluster, "n"), "");
  EXPECT_TRUE(cluster.snapshot().is_claimed("r"));
  cluster.snapshot().remove_pod("uid-new");
  EXPECT_EQ(standing(cluster, "n"), "r:2000");
  cluster.pod("new", R"({"cpu":"1","node":"m","claim":"r"})");
  EXPECT_EQ(standing(cluster, "n"), "");
}

TEST(Holds, StayClaimedWhileAnyClaimantIsThere) {
  ClusterBuilder cluster;
  cluster.node("n").hold(hold("r", "n", "2", "d"));
  cluster.pod("a", R"({"node":"n","claim":"r"})").pod("b", R"({"node":"n","claim":"r"})");
  cluster.snapshot().remove_pod("uid-a");
  EXPECT_TRUE(cluster.snapshot().is_claimed("r"));
}

TEST(Holds, AreVoidOnAnotherNodeOfTheSameName) {
  ClusterBuilder cluster;
  Hold held = hold("r", "n", "2", "d");
  held.node_uid = "uid-n";
  cluster.node("n").hold(held);
  EXPECT_EQ(standing(cluster, "n"), "r:2000");
  cluster.node("n", R"({"uid":"another"})");
  EXPECT_EQ(standing(cluster, "n"), "");
}

TEST(Holds, MayBeKnownBeforeTheirNodeAndOutliveIt) {
  ClusterBuilder cluster;
  cluster.hold(hold("r", "n", "2", "d"));
  cluster.node("n");
  EXPECT_EQ(standing(cluster, "n"), "r:2000");
  cluster.snapshot().remove_node("n");
  cluster.node("n");
  EXPECT_EQ(standing(cluster, "n"), "r:2000");
  const auto changes = cluster.snapshot().remove_hold("r");
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_TRUE(changes[0].has_more_room);
  EXPECT_EQ(standing(cluster, "n"), "");
}

TEST(Holds, OfAnnotationsAreUsedWhileAPodOfTheOwnerIsBoundThere) {
  ClusterBuilder cluster;
  cluster.node("n", R"({"annotations":{"reserve.cpu/rs":"3"}})");
  EXPECT_EQ(standing(cluster, "n"), "n/reserve/rs:3000");
  cluster.pod("a", R"({"cpu":"1","owner":"rs","node":"n"})");
  EXPECT_EQ(standing(cluster, "n"), "");
  cluster.pod("b", R"({"cpu":"1","owner":"other","node":"n"})");
  cluster.snapshot().remove_pod("uid-a");
  EXPECT_EQ(standing(cluster, "n"), "n/reserve/rs:3000");
}

TEST(Holds, OfAnnotationsMayNameTheDeployment) {
  ClusterBuilder cluster;
  cluster.node("n", R"({"annotations":{"reserve.cpu/d":"3"}})");
  cluster.pod("a", R"({"cpu":"1","owner":"rs","node":"n"})");
  EXPECT_EQ(standing(cluster, "n"), "n/reserve/d:3000");
  cluster.replica_set("rs", "d");
  EXPECT_EQ(standing(cluster, "n"), "");
}

TEST(Holds, OfAnnotationsAreUsedOneForEachPod) {
  ClusterBuilder cluster;
  json::Value node = testing::node("n");
  node["metadata"]["annotations"]["reserve.kubernetes.io/resources"] = R"([
      {"owner_uid":"rs","reserved_resources":[{"resource_type":"cpu","reserved_quanty":1000}]},
      {"owner_uid":"rs","reserved_resources":[{"resource_type":"cpu","reserved_quanty":2000}]}])";
  ASSERT_TRUE(cluster.snapshot().put_node(node).ok());
  EXPECT_EQ(cluster.snapshot().holds(cluster.slot("n")).size(), 2u);
  cluster.pod("a", R"({"owner":"rs","node":"n"})");
  EXPECT_EQ(cluster.snapshot().holds(cluster.slot("n")).size(), 1u);
  cluster.pod("b", R"({"owner":"rs","node":"n"})");
  EXPECT_EQ(cluster.snapshot().holds(cluster.slot("n")).size(), 0u);
}

TEST(Holds, OfAnnotationsGoWithTheAnnotationAndWithTheNode) {
  ClusterBuilder cluster;
  cluster.node("n", R"({"annotations":{"reserve.cpu/rs":"3"}})");
  EXPECT_TRUE(cluster.snapshot().put_node(testing::node("n")).value().has_more_room);
  EXPECT_EQ(standing(cluster, "n"), "");
  cluster.node("n", R"({"annotations":{"reserve.cpu/rs":"3"}})");
  cluster.snapshot().remove_node("n");
  EXPECT_TRUE(cluster.snapshot().all_holds().empty());
}

TEST(Holds, AreClaimedByPodsOfTheRootOwner) {
  ClusterBuilder cluster;
  cluster.node("n").hold(hold("r", "n", "2", "d")).replica_set("rs", "d");
  EXPECT_EQ(claim(cluster, "n", R"({"owner":"rs"})"), "r");
  EXPECT_EQ(claim(cluster, "n", R"({"owner":"d"})"), "r");
  EXPECT_EQ(claim(cluster, "n", R"({"owner":"other"})"), "");
  EXPECT_EQ(claim(cluster, "n", "{}"), "");
}

TEST(Holds, WithASuccessorsNameAreForThatPodOnly) {
  ClusterBuilder cluster;
  Hold held = hold("r", "n", "2", "d");
  held.successor_name = "db-0";
  cluster.node("n").hold(held);
  EXPECT_EQ(claim(cluster, "n", R"({"owner":"d"})", "db-0"), "r");
  EXPECT_EQ(claim(cluster, "n", R"({"owner":"d"})", "db-1"), "");
}

TEST(Holds, AreChosenByNameThenSmallestThatIsEnoughThenAge) {
  ClusterBuilder cluster;
  Hold named = hold("named", "n", "500m", "d");
  named.successor_name = "db-0";
  Hold large = hold("large", "n", "4", "d");
  Hold young = hold("young", "n", "2", "d");
  Hold old = hold("old", "n", "2", "d");
  Hold small = hold("small", "n", "1", "d");
  for (Hold* with_slot : {&named, &large, &young, &old, &small}) {
    with_slot->resources.set("pods", api::Quantity(1));
  }
  old.created = Time(10s);
  young.created = Time(20s);
  cluster.node("n", R"({"cpu":"16"})").hold(large).hold(young).hold(old).hold(small).hold(named);
  const std::string_view wants = R"({"owner":"d","cpu":"1500m"})";
  EXPECT_EQ(claim(cluster, "n", wants, "db-0"), "named");
  EXPECT_EQ(claim(cluster, "n", wants), "old");
  cluster.snapshot().remove_hold("old");
  EXPECT_EQ(claim(cluster, "n", wants), "young");
  cluster.snapshot().remove_hold("young");
  EXPECT_EQ(claim(cluster, "n", wants), "large");
  cluster.snapshot().remove_hold("large");
  EXPECT_EQ(claim(cluster, "n", wants), "small");
}

TEST(Holds, WhosePredecessorIsStillThereAreNoRoomToMoveInto) {
  ClusterBuilder cluster;
  Hold early = hold("early", "n", "1", "d");
  early.predecessor_uid = "uid-old";
  Hold late = hold("late", "n", "1", "d");
  late.created = Time(10s);
  for (Hold* with_slot : {&early, &late}) with_slot->resources.set("pods", api::Quantity(1));
  cluster.node("n").pod("old", R"({"cpu":"1","node":"n"})").hold(early).hold(late);
  EXPECT_EQ(claim(cluster, "n", R"({"owner":"d","cpu":"1"})"), "late");
}

TEST(Holds, AreFoundByWhoMayClaimThem) {
  ClusterBuilder cluster;
  cluster.node("a").node("b").hold(hold("1", "b", "1", "d")).hold(hold("2", "gone", "1", "d"));
  const PendingPod pod = testing::pending("p", R"({"owner":"d"})");
  const Cycle cycle = Cycle::of(cluster.snapshot(), pod);
  EXPECT_EQ(cluster.snapshot().claimable_nodes(cycle.claimant()),
            std::vector<NodeSlot>{cluster.slot("b")});
}

TEST(Holds, SayWhenTheyEnd) {
  ClusterBuilder cluster;
  EXPECT_EQ(cluster.snapshot().next_expiry(), std::nullopt);
  Hold first = hold("1", "n", "1", "d");
  first.expires = Time(20s);
  Hold second = hold("2", "n", "1", "d");
  second.expires = Time(10s);
  cluster.node("n").hold(first).hold(second).hold(hold("3", "n", "1", "d"));
  EXPECT_EQ(cluster.snapshot().next_expiry(), Time(10s));
  EXPECT_TRUE(cluster.snapshot().expired_holds(Time(9s)).empty());
  EXPECT_EQ(cluster.snapshot().expired_holds(Time(10s)), std::vector<std::string>{"2"});
}

}  // namespace
}  // namespace berth::nodes

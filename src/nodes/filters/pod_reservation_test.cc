#include "nodes/filters/pod_reservation.h"

#include <gtest/gtest.h>

#include "nodes/testing/cluster_builder.h"

namespace berth::nodes {
namespace {

using namespace std::chrono_literals;
using testing::ClusterBuilder;
using testing::hold;

TEST(PodReservation, RefusesRoomThatIsHeldForOthers) {
  ClusterBuilder cluster;
  cluster.node("a", R"({"cpu":"4"})").node("b").hold(hold("r", "a", "3", "d"));
  EXPECT_EQ(cluster.filtered(PodReservation(), R"({"cpu":"1"})"), "a; b");
  EXPECT_EQ(cluster.filtered(PodReservation(), R"({"cpu":"1001m"})"),
            "a: Insufficient cpu because of reserved room (r for owner d)!; b");
  EXPECT_EQ(cluster.filtered(PodReservation(), R"({"cpu":"4","owner":"d"})"), "a; b");
}

TEST(PodReservation, SaysUntilWhen) {
  ClusterBuilder cluster;
  Hold held = hold("r", "a", "4", "d");
  held.expires = Time(60s);
  cluster.node("a").hold(held);
  EXPECT_EQ(cluster.filtered(PodReservation(), R"({"cpu":"1"})"),
            "a: Insufficient cpu because of reserved room (r for owner d until "
            "1970-01-01T00:01:00Z)!");
}

TEST(PodReservation, GivesWayToHigherPriorities) {
  ClusterBuilder cluster;
  Hold held = hold("r", "a", "4", "d");
  held.priority = 10;
  cluster.node("a").hold(held);
  EXPECT_EQ(cluster.filtered(PodReservation(), R"({"cpu":"1","priority":11})"), "a");
  EXPECT_NE(cluster.filtered(PodReservation(), R"({"cpu":"1","priority":10})"), "a");
}

TEST(PodReservation, OfAnAnnotationStandsAtEveryPriority) {
  ClusterBuilder cluster;
  cluster.node("a", R"({"annotations":{"reserve.cpu/d":"4"}})");
  EXPECT_NE(cluster.filtered(PodReservation(), R"({"cpu":"1","priority":2000000000})"), "a");
}

TEST(PodReservation, LetsAPodClaimOneHoldAndNotItsSiblings) {
  ClusterBuilder cluster;
  cluster.node("a", R"({"cpu":"4"})").hold(hold("1", "a", "2", "d")).hold(hold("2", "a", "2", "d"));
  EXPECT_EQ(cluster.filtered(PodReservation(), R"({"cpu":"2","owner":"d"})"), "a");
  EXPECT_NE(cluster.filtered(PodReservation(), R"({"cpu":"3","owner":"d"})"), "a");
}

TEST(PodReservation, LetsALargerSuccessorUseTheFreeRoomToo) {
  ClusterBuilder cluster;
  cluster.node("a", R"({"cpu":"4"})").hold(hold("r", "a", "2", "d"));
  EXPECT_EQ(cluster.filtered(PodReservation(), R"({"cpu":"4","owner":"d"})"), "a");
}

TEST(PodReservation, DoesNotCountThePredecessorTwice) {
  ClusterBuilder cluster;
  Hold held = hold("r", "a", "2", "d");
  held.predecessor_uid = "uid-old";
  cluster.node("a", R"({"cpu":"4"})").pod("old", R"({"cpu":"2","node":"a"})").hold(held);
  EXPECT_EQ(cluster.choose(R"({"cpu":"2"})"), "a");
  EXPECT_EQ(cluster.choose(R"({"cpu":"2001m"})"), "");
  cluster.snapshot().remove_pod("uid-old");
  EXPECT_EQ(cluster.choose(R"({"cpu":"2"})"), "a");
  EXPECT_EQ(cluster.choose(R"({"cpu":"2001m"})"), "");
}

TEST(PodReservation, HoldsPodSlotsAndHostPorts) {
  ClusterBuilder cluster;
  Hold held = hold("r", "a", "0", "d");
  held.resources.set("pods", api::Quantity(1));
  held.ports = {{.port = 80}};
  cluster.node("a", R"({"pods":"2"})").node("b", R"({"pods":"1"})").hold(held);
  EXPECT_EQ(cluster.filtered(PodReservation(), "{}"), "a; b");
  EXPECT_EQ(cluster.filtered(PodReservation(), R"({"ports":[80]})"),
            "a: Insufficient host port 80 because of reserved room (r for owner d)!; b");
  EXPECT_EQ(cluster.filtered(PodReservation(), R"({"ports":[80],"owner":"d"})"), "a; b");
  cluster.pod("x", R"({"node":"a"})");
  EXPECT_EQ(cluster.filtered(PodReservation(), "{}"),
            "a: Insufficient pods because of reserved room (r for owner d)!; b");
}

TEST(PodReservation, NamesAFewOfManyHolds) {
  ClusterBuilder cluster;
  cluster.node("a");
  for (const char* id : {"1", "2", "3", "4", "5"}) cluster.hold(hold(id, "a", "1", "d"));
  EXPECT_EQ(cluster.filtered(PodReservation(), R"({"cpu":"1"})"),
            "a: Insufficient cpu because of reserved room (1 for owner d, 2 for owner d, 3 for "
            "owner d and 2 more)!");
}

TEST(PodReservation, LeavesPodsAloneThatNeedNothingOfWhatIsHeld) {
  ClusterBuilder cluster;
  cluster.node("a").hold(hold("r", "a", "100", "d"));
  EXPECT_EQ(cluster.filtered(PodReservation(), R"({"memory":"1Gi"})"), "a");
}

TEST(PodReservation, HoldsMoreThanAnyNumber) {
  ClusterBuilder cluster;
  cluster.node("a").hold(hold("1", "a", "1e30", "d")).hold(hold("2", "a", "1e30", "d"));
  EXPECT_NE(cluster.filtered(PodReservation(), R"({"cpu":"1m"})"), "a");
}

}  // namespace
}  // namespace berth::nodes

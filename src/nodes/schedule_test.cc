#include "nodes/schedule.h"

#include <map>

#include <gtest/gtest.h>

#include "base/random.h"
#include "nodes/testing/cluster_builder.h"

namespace berth::nodes {
namespace {

using testing::ClusterBuilder;
using testing::hold;

TEST(Schedule, TakesTheEmptiestNodeThatFits) {
  ClusterBuilder cluster;
  cluster.node("a").node("b").node("c", R"({"cpu":"1"})");
  cluster.pod("x", R"({"cpu":"1","memory":"2Gi","node":"a"})");
  EXPECT_EQ(cluster.choose(R"({"cpu":"2","memory":"1Gi"})"), "b");
}

TEST(Schedule, FindsNothingInAnEmptyCluster) {
  const ClusterBuilder cluster;
  EXPECT_EQ(cluster.choose("{}"), "");
  EXPECT_EQ(cluster.refusal("{}"), "no nodes available to schedule pods");
}

TEST(Schedule, SaysWhyNotInKubeSchedulersWords) {
  ClusterBuilder cluster;
  cluster.node(
      "master",
      R"({"taints":[{"key":"node-role.kubernetes.io/control-plane","effect":"NoSchedule"}]})");
  cluster.node("a", R"({"cpu":"1"})").node("b", R"({"cpu":"1"})");
  EXPECT_EQ(cluster.refusal(R"({"cpu":"2"})"),
            "0/3 nodes are available: 1 node(s) had untolerated taint "
            "{node-role.kubernetes.io/control-plane: }, 2 Insufficient cpu.");
}

TEST(Schedule, NamesTheReservationThatStandsInTheWay) {
  ClusterBuilder cluster;
  cluster.node("worker", R"({"cpu":"6",
      "annotations":{"reserve.cpu/a8f6f901-47c9-4475-b1f4-cac44597e173":"5000m"}})");
  cluster.pod("system", R"({"cpu":"250m","node":"worker"})");
  EXPECT_EQ(cluster.choose(R"({"cpu":"1"})"), "");
  EXPECT_EQ(cluster.refusal(R"({"cpu":"1"})"),
            "0/1 nodes are available: 1 Insufficient cpu because of reserved room (annotation "
            "reserve.cpu/a8f6f901-47c9-4475-b1f4-cac44597e173 for owner "
            "a8f6f901-47c9-4475-b1f4-cac44597e173).");
  EXPECT_EQ(cluster.choose(R"({"cpu":"5","owner":"a8f6f901-47c9-4475-b1f4-cac44597e173"})"),
            "worker");
}

TEST(Schedule, BringsARebuiltPodHome) {
  ClusterBuilder cluster;
  cluster.node("a").node("b").pod("x", R"({"cpu":"2","node":"a"})").hold(hold("r", "a", "1", "d"));
  EXPECT_EQ(cluster.choose(R"({"cpu":"1"})"), "b");
  EXPECT_EQ(cluster.choose(R"({"cpu":"1","owner":"d"})"), "a");
}

TEST(Schedule, TakesAFallbackLast) {
  ClusterBuilder cluster;
  Hold held = hold("r", "a", "1", "d");
  held.policy = HoldPolicy::FallbackOnly;
  cluster.node("a").node("b").pod("x", R"({"cpu":"3","node":"b"})").hold(held);
  EXPECT_EQ(cluster.choose(R"({"cpu":"1","owner":"d"})"), "b");
  EXPECT_EQ(cluster.choose(R"({"cpu":"2","owner":"d"})"), "a");
}

TEST(Schedule, LooksAtTheHeldNodeEvenWhenNotAllAreLookedAt) {
  ClusterBuilder cluster;
  for (int i = 0; i < 1000; ++i) cluster.node(fmt::format("n{}", i));
  cluster.hold(hold("r", "n999", "1", "d"));
  const PendingPod pod = testing::pending("p", R"({"cpu":"1","owner":"d"})");
  Shapes shapes;
  Cursor cursor;
  const Choice choice =
      schedule(Cycle::of(cluster.snapshot(), pod), default_profile(), shapes, cursor);
  EXPECT_EQ(cluster.snapshot().name(choice.node.value()), "n999");
  EXPECT_EQ(choice.claim, "r");
  EXPECT_LT(choice.evaluated, 700u);
}

TEST(Schedule, GoesOnWhereItStopped) {
  ClusterBuilder cluster;
  for (int i = 0; i < 1000; ++i) cluster.node(fmt::format("n{}", i));
  const PendingPod pod = testing::pending("p", R"({"cpu":"1"})");
  Shapes shapes;
  Cursor cursor;
  const Profile profile = default_profile();
  schedule(Cycle::of(cluster.snapshot(), pod), profile, shapes, cursor);
  const std::size_t first = cursor.place;
  EXPECT_EQ(first, 512u);  // 420 are enough, found in blocks.
  schedule(Cycle::of(cluster.snapshot(), pod), profile, shapes, cursor);
  EXPECT_EQ(cursor.place, 24u);  // Round and round.
}

TEST(Schedule, ExplainsEveryNode) {
  ClusterBuilder cluster;
  cluster.node("a").node("b", R"({"cpu":"1"})");
  const PendingPod pod = testing::pending("p", R"({"cpu":"2"})");
  const auto verdicts = explain(Cycle::of(cluster.snapshot(), pod), default_profile());
  ASSERT_EQ(verdicts.size(), 2u);
  EXPECT_EQ(verdicts[0].filter, "");
  ASSERT_EQ(verdicts[0].points.size(), 2u);
  EXPECT_EQ(verdicts[0].points[0].scorer, "NodeResourcesFit");
  EXPECT_EQ(verdicts[0].score, verdicts[0].points[0].points + verdicts[0].points[1].points);
  EXPECT_EQ(verdicts[1].filter, "NodeResourcesFit");
  EXPECT_EQ(verdicts[1].objections[0].reason, "Insufficient cpu");
}

// The quick search, the single question and the explanation must tell the same story.
TEST(Schedule, AgreesWithItsExplanationOnAnyCluster) {
  int placed = 0;
  int refused = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    ClusterBuilder cluster;
    const std::uint64_t nodes = 1 + random.below(8);
    for (std::uint64_t i = 0; i < nodes; ++i) {
      cluster.node(
          fmt::format("n{}", i),
          fmt::format(R"({{"cpu":"{}","pods":"{}","labels":{{"zone":"z{}"}},"unschedulable":{},
                          "taints":[{{"key":"k{}","effect":"{}"}}]}})",
                      random.between(1, 4), random.between(1, 4), random.below(2),
                      random.chance(0.1), random.below(3),
                      random.chance(0.3) ? "NoSchedule" : "PreferNoSchedule"));
    }
    for (int i = 0; i < 6; ++i) {
      cluster.pod(fmt::format("x{}", i),
                  fmt::format(R"({{"cpu":"{}m","node":"n{}","ports":[{}]}})",
                              random.between(0, 900), random.below(nodes), random.between(80, 83)));
      cluster.hold(hold(fmt::format("r{}", i), fmt::format("n{}", random.below(nodes)),
                        fmt::format("{}m", random.between(0, 1500)),
                        fmt::format("d{}", random.below(3))));
    }
    const PendingPod pod =
        testing::pending("p", fmt::format(R"({{"cpu":"{}m","owner":"d{}","ports":[{}],"spec":{{
                "nodeSelector":{{"zone":"z{}"}},"tolerations":[{{"key":"k0","operator":"Exists"}}]
                }}}})",
                                          random.between(1, 2500), random.below(3),
                                          random.between(80, 83), random.below(2)));
    const Cycle cycle = Cycle::of(cluster.snapshot(), pod);
    const Profile profile = default_profile();
    Shapes shapes;
    Cursor cursor{.place = random.below(10)};
    const Choice choice = schedule(cycle, profile, shapes, cursor);
    const auto verdicts = explain(cycle, profile);
    std::int64_t best = -1;
    std::size_t feasible = 0;
    for (const NodeVerdict& verdict : verdicts) {
      EXPECT_EQ(verdict.filter.empty(), fits(cycle, profile, verdict.node)) << seed;
      if (!verdict.filter.empty()) continue;
      ++feasible;
      best = std::max(best, verdict.score);
    }
    EXPECT_EQ(choice.feasible, feasible) << seed;
    EXPECT_EQ(choice.node.has_value(), feasible > 0) << seed;
    (choice.node ? placed : refused) += 1;
    if (feasible > 1) EXPECT_EQ(choice.score, best) << seed;
  }
  EXPECT_GT(placed, 30);  // Both kinds of ending are really tried.
  EXPECT_GT(refused, 30);
}

}  // namespace
}  // namespace berth::nodes

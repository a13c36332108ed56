#include "nodes/snapshot.h"

#include <limits>
#include <map>

#include <gtest/gtest.h>

#include "base/random.h"
#include "nodes/testing/cluster_builder.h"

namespace berth::nodes {
namespace {

using testing::ClusterBuilder;

std::int64_t free_cpu(ClusterBuilder& cluster, std::string_view node) {
  return cluster.snapshot().free(kCpu)[cluster.slot(node)];
}

TEST(Snapshot, CountsBoundPodsUntilTheyHaveEnded) {
  ClusterBuilder cluster;
  cluster.node("n").pod("a", R"({"cpu":"1","node":"n"})");
  cluster.pod("b", R"({"cpu":"500m","node":"n","deleting":true})");
  EXPECT_EQ(free_cpu(cluster, "n"), 2500);
  EXPECT_EQ(cluster.snapshot().free(kPods)[cluster.slot("n")], 108);
  cluster.pod("a", R"({"cpu":"1","node":"n","phase":"Succeeded"})");
  EXPECT_EQ(free_cpu(cluster, "n"), 3500);
  cluster.snapshot().remove_pod("uid-b");
  EXPECT_EQ(free_cpu(cluster, "n"), 4000);
  EXPECT_EQ(cluster.snapshot().pods(), 0u);
}

TEST(Snapshot, KnowsAPodBeforeItsNode) {
  ClusterBuilder cluster;
  cluster.pod("a", R"({"cpu":"1","node":"n"})");
  EXPECT_TRUE(cluster.snapshot().nodes().empty());
  EXPECT_EQ(cluster.snapshot().find_node("n"), std::nullopt);
  cluster.node("n");
  EXPECT_EQ(free_cpu(cluster, "n"), 3000);
}

TEST(Snapshot, RemembersPodsOfANodeThatIsGone) {
  ClusterBuilder cluster;
  cluster.node("n").node("m").pod("a", R"({"cpu":"1","node":"n"})");
  cluster.snapshot().remove_node("n");
  EXPECT_EQ(cluster.snapshot().nodes().size(), 1u);
  cluster.node("n");
  EXPECT_EQ(free_cpu(cluster, "n"), 3000);
}

TEST(Snapshot, ReusesTheSlotOfANodeThatNothingIsKnownOf) {
  ClusterBuilder cluster;
  cluster.node("n", R"({"cpu":"9"})");
  const NodeSlot slot = cluster.slot("n");
  cluster.snapshot().remove_node("n");
  cluster.node("m");
  EXPECT_EQ(cluster.slot("m"), slot);
  EXPECT_EQ(free_cpu(cluster, "m"), 4000);
}

TEST(Snapshot, MovesAPodThatIsBoundElsewhereThanAssumed) {
  ClusterBuilder cluster;
  cluster.node("n").node("m").pod("a", R"({"cpu":"1","node":"n"})");
  const auto changes =
      cluster.snapshot().put_pod(testing::facts_of(testing::pod("a", R"({"cpu":"1","node":"m"})")));
  EXPECT_EQ(free_cpu(cluster, "n"), 4000);
  EXPECT_EQ(free_cpu(cluster, "m"), 3000);
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].node, cluster.slot("n"));
  EXPECT_TRUE(changes[0].has_more_room);
}

TEST(Snapshot, ChargesResourcesThatComeIntoBeingLater) {
  ClusterBuilder cluster;
  cluster.node("n").pod("a", R"({"example.com/gpu":"2","node":"n"})");
  EXPECT_EQ(cluster.snapshot().columns().find("example.com/gpu"), std::nullopt);
  cluster.node("n", R"({"example.com/gpu":"8"})");
  const Column gpu = cluster.snapshot().columns().find("example.com/gpu").value();
  EXPECT_EQ(cluster.snapshot().free(gpu)[cluster.slot("n")], 6);
  cluster.snapshot().remove_pod("uid-a");
  EXPECT_EQ(cluster.snapshot().free(gpu)[cluster.slot("n")], 8);
}

TEST(Snapshot, StaysExactWithAmountsBeyondAllBounds) {
  ClusterBuilder cluster;
  cluster.node("n");
  for (const char* name : {"a", "b", "c"}) cluster.pod(name, R"({"cpu":"1e18","node":"n"})");
  EXPECT_EQ(free_cpu(cluster, "n"), std::numeric_limits<std::int64_t>::min());
  for (const char* uid : {"uid-a", "uid-b", "uid-c"}) cluster.snapshot().remove_pod(uid);
  EXPECT_EQ(free_cpu(cluster, "n"), 4000);
}

TEST(Snapshot, TellsWhatChangedOfANode) {
  ClusterBuilder cluster;
  const auto put = [&cluster](std::string_view extra) {
    return cluster.snapshot().put_node(testing::node("n", extra)).value();
  };
  EXPECT_TRUE(put("{}").facts_changed);
  const Snapshot::NodeChange same = put("{}");
  EXPECT_FALSE(same.facts_changed || same.has_more_room);
  EXPECT_TRUE(put(R"({"labels":{"a":"b"}})").facts_changed);
  EXPECT_TRUE(put(R"({"labels":{"a":"b"},"cpu":"5"})").has_more_room);
  EXPECT_FALSE(put(R"({"labels":{"a":"b"},"cpu":"4"})").has_more_room);
  EXPECT_TRUE(put(R"({"cpu":"4","annotations":{"reserve.cpu/u":"x"}})").problems.size() == 1);
  EXPECT_TRUE(put(R"({"cpu":"4","annotations":{"reserve.cpu/u":"x"}})").problems.empty());
}

TEST(Snapshot, ForgetsANodeThatCannotBeRead) {
  ClusterBuilder cluster;
  cluster.node("n");
  EXPECT_FALSE(cluster.snapshot().put_node(testing::node("n", R"({"cpu":"many"})")).ok());
  EXPECT_EQ(cluster.snapshot().find_node("n"), std::nullopt);
}

TEST(Snapshot, CollectsHostPorts) {
  ClusterBuilder cluster;
  cluster.node("n").pod("a", R"({"ports":[80,81],"node":"n"})");
  EXPECT_EQ(cluster.snapshot().ports(cluster.slot("n")).size(), 2u);
  cluster.snapshot().remove_pod("uid-a");
  EXPECT_TRUE(cluster.snapshot().ports(cluster.slot("n")).empty());
}

// Whatever happened before, the sums are those of what is there.
TEST(Snapshot, AgreesWithASumFromScratchAfterAnyHistory) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Random random(seed);
    ClusterBuilder cluster;
    std::map<std::string, std::string> nodes;
    std::map<std::string, std::pair<std::string, std::string>> pods;  // Name: object, node.
    for (int step = 0; step < 200; ++step) {
      const std::string node = fmt::format("n{}", random.below(4));
      const std::string pod = fmt::format("p{}", random.below(12));
      switch (random.below(4)) {
        case 0:
          nodes[node] = fmt::format(R"({{"cpu":"{}"}})", random.between(1, 9));
          cluster.node(node, nodes[node]);
          break;
        case 1:
          nodes.erase(node);
          cluster.snapshot().remove_node(node);
          break;
        case 2:
          pods[pod] = {fmt::format(R"({{"cpu":"{}m","node":"{}","ports":[{}]}})",
                                   random.between(0, 900), node, random.between(1, 9)),
                       node};
          cluster.pod(pod, pods[pod].first);
          break;
        default:
          pods.erase(pod);
          cluster.snapshot().remove_pod("uid-" + pod);
      }
    }
    ClusterBuilder fresh;
    for (const auto& [name, extra] : nodes) fresh.node(name, extra);
    for (const auto& [name, extra] : pods) fresh.pod(name, extra.first);
    ASSERT_EQ(cluster.snapshot().nodes().size(), nodes.size()) << seed;
    ASSERT_EQ(cluster.snapshot().pods(), pods.size()) << seed;
    for (const auto& [name, extra] : nodes) {
      for (Column column = 0; column < fresh.snapshot().columns().size(); ++column) {
        EXPECT_EQ(cluster.snapshot().free(column)[cluster.slot(name)],
                  fresh.snapshot().free(column)[fresh.slot(name)])
            << seed << " " << name << " " << column;
      }
      EXPECT_EQ(cluster.snapshot().scored_cpu()[cluster.slot(name)],
                fresh.snapshot().scored_cpu()[fresh.slot(name)]);
      EXPECT_EQ(cluster.snapshot().ports(cluster.slot(name)).size(),
                fresh.snapshot().ports(fresh.slot(name)).size());
    }
  }
}

}  // namespace
}  // namespace berth::nodes

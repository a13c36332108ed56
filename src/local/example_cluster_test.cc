#include "local/example_cluster.h"

#include <gtest/gtest.h>

#include "api/kinds/fields.h"

namespace berth::local {
namespace {

using namespace std::chrono_literals;

constexpr ExampleLoad kOne = {.cluster = 1, .clusters = 2, .nodes = 5, .day = 10min};

TEST(ExampleCluster, TheLoadRisesUntilNoonAndFallsUntilMidnight) {
  EXPECT_EQ(example_replicas(kOne, Time()), 8);
  EXPECT_EQ(example_replicas(kOne, Time() + 5min), 72);
  EXPECT_EQ(example_replicas(kOne, Time() + 10min), 8);
}

TEST(ExampleCluster, TheNextClusterHasItsNoonAtAnotherTime) {
  ExampleLoad other = kOne;
  other.cluster = 2;
  EXPECT_EQ(example_replicas(other, Time()), 72);
  EXPECT_EQ(example_replicas(other, Time() + 5min), 8);
}

TEST(ExampleCluster, AtNoonThereIsStillRoom) {
  EXPECT_LT(example_replicas({.nodes = 1, .day = 10min}, Time() + 5min), 16);
}

TEST(ExampleCluster, ManyClustersMoveLessAndLater) {
  const ExampleLoad one_of_many = {.cluster = 1, .clusters = 100, .nodes = 5, .day = 10min};
  EXPECT_EQ(example_replicas(one_of_many, Time()), 8);
  EXPECT_EQ(example_replicas(one_of_many, Time() + 10min), 24);
  EXPECT_EQ(example_replicas(one_of_many, Time() + 20min), 8);
}

TEST(ExampleCluster, NodesAreReadyAndHaveRoom) {
  const json::Value node = example_node(2);
  EXPECT_EQ(api::read_facts(node).name, "node2");
  EXPECT_EQ(node.find_path({"status", "allocatable", "cpu"})->string_or_empty(), "8");
  EXPECT_EQ(
      node.find_path({"metadata", "labels", "topology.kubernetes.io/zone"})->string_or_empty(),
      "zone-b");
}

TEST(ExampleCluster, TheWorkloadHasSoManyPods) {
  EXPECT_EQ(example_workload(7).find_path({"spec", "replicas"})->as_int(), 7);
}

}  // namespace
}  // namespace berth::local

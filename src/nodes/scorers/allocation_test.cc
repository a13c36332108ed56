#include "nodes/scorers/allocation.h"

#include <gtest/gtest.h>

#include "nodes/testing/cluster_builder.h"

namespace berth::nodes {
namespace {

using testing::ClusterBuilder;
using Strategy = AllocationOptions::Strategy;

TEST(Allocation, PrefersTheEmptierNodes) {
  ClusterBuilder cluster;
  cluster.node("a", R"({"cpu":"4","memory":"10Gi"})").node("b", R"({"cpu":"4","memory":"10Gi"})");
  cluster.pod("x", R"({"cpu":"2","memory":"5Gi","node":"b"})");
  // a: cpu 75, memory 90; b: cpu 25, memory 40.
  EXPECT_EQ(cluster.scored(Allocation({}), R"({"cpu":"1","memory":"1Gi"})"), "a=82 b=32");
}

TEST(Allocation, PrefersTheFullerNodesIfAskedTo) {
  ClusterBuilder cluster;
  cluster.node("a", R"({"cpu":"4","memory":"10Gi"})").node("b", R"({"cpu":"4","memory":"10Gi"})");
  cluster.pod("x", R"({"cpu":"2","memory":"5Gi","node":"b"})");
  EXPECT_EQ(cluster.scored(Allocation({.strategy = Strategy::MostAllocated}),
                           R"({"cpu":"1","memory":"1Gi"})"),
            "a=17 b=67");
}

TEST(Allocation, WeighsResources) {
  ClusterBuilder cluster;
  cluster.node("a", R"({"cpu":"4","memory":"10Gi"})");
  EXPECT_EQ(cluster.scored(Allocation({.resources = {{"cpu", 3}, {"memory", 1}}}),
                           R"({"cpu":"2","memory":"1Gi"})"),
            "a=60");
}

TEST(Allocation, CountsContainersThatSayNothingForALittle) {
  ClusterBuilder cluster;
  cluster.node("a", R"({"cpu":"1","memory":"1000Mi"})");
  EXPECT_EQ(cluster.scored(Allocation({}), "{}"), "a=85");
}

TEST(Allocation, GivesNothingForWhatWouldNotFit) {
  ClusterBuilder cluster;
  cluster.node("a", R"({"cpu":"1","memory":"1Gi"})").node("b", R"({"cpu":"0","memory":"0"})");
  EXPECT_EQ(cluster.scored(Allocation({}), R"({"cpu":"2","memory":"2Gi"})"), "a=0 b=0");
}

TEST(Allocation, LooksAtFurtherResourcesOnlyForPodsThatAskForThem) {
  ClusterBuilder cluster;
  cluster.node("a", R"({"example.com/gpu":"4"})");
  const Allocation gpu({.resources = {{"example.com/gpu", 1}}});
  EXPECT_EQ(cluster.scored(gpu, R"({"example.com/gpu":"1"})"), "a=75");
  EXPECT_EQ(cluster.scored(gpu, R"({"cpu":"1"})"), "a=0");
}

}  // namespace
}  // namespace berth::nodes

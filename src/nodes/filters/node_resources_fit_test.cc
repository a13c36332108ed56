#include "nodes/filters/node_resources_fit.h"

#include <gtest/gtest.h>

#include "nodes/testing/cluster_builder.h"

namespace berth::nodes {
namespace {

using testing::ClusterBuilder;

TEST(NodeResourcesFit, RefusesNodesWithTooLittleLeft) {
  ClusterBuilder cluster;
  cluster.node("a", R"({"cpu":"2","memory":"1Gi"})").node("b", R"({"cpu":"1","memory":"4Gi"})");
  cluster.pod("x", R"({"cpu":"1500m","node":"a"})");
  EXPECT_EQ(cluster.filtered(NodeResourcesFit(), R"({"cpu":"500m","memory":"1Gi"})"), "a; b");
  EXPECT_EQ(cluster.filtered(NodeResourcesFit(), R"({"cpu":"501m","memory":"1Gi"})"),
            "a: Insufficient cpu; b");
  EXPECT_EQ(cluster.filtered(NodeResourcesFit(), R"({"cpu":"501m","memory":"2Gi"})"),
            "a: Insufficient cpu, Insufficient memory!; b");
}

TEST(NodeResourcesFit, TakesPodsThatNeedNothingEvenWhenOvercommitted) {
  ClusterBuilder cluster;
  cluster.node("a", R"({"cpu":"1"})").pod("x", R"({"cpu":"3","node":"a"})");
  EXPECT_EQ(cluster.filtered(NodeResourcesFit(), R"({"memory":"1Gi"})"), "a");
  EXPECT_EQ(cluster.filtered(NodeResourcesFit(), R"({"cpu":"1m"})"), "a: Insufficient cpu");
}

TEST(NodeResourcesFit, CountsPodSlots) {
  ClusterBuilder cluster;
  cluster.node("a", R"({"pods":"1"})").pod("x", R"({"node":"a"})");
  EXPECT_EQ(cluster.filtered(NodeResourcesFit(), "{}"), "a: Too many pods");
}

TEST(NodeResourcesFit, CountsEveryResource) {
  ClusterBuilder cluster;
  cluster.node("a", R"({"example.com/gpu":"1"})").node("b");
  EXPECT_EQ(cluster.filtered(NodeResourcesFit(), R"({"example.com/gpu":"1"})"),
            "a; b: Insufficient example.com/gpu!");
  EXPECT_EQ(cluster.filtered(NodeResourcesFit(), R"({"ephemeral-storage":"1"})"),
            "a: Insufficient ephemeral-storage!; b: Insufficient ephemeral-storage!");
}

TEST(NodeResourcesFit, RefusesEverywhereWhatNoNodeHas) {
  ClusterBuilder cluster;
  cluster.node("a");
  EXPECT_EQ(cluster.filtered(NodeResourcesFit(), R"({"example.com/gpu":"1"})"),
            "a: Insufficient example.com/gpu!");
}

}  // namespace
}  // namespace berth::nodes

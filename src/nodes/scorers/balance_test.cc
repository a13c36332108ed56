#include "nodes/scorers/balance.h"

#include <gtest/gtest.h>

#include "nodes/testing/cluster_builder.h"

namespace berth::nodes {
namespace {

TEST(Balance, PrefersNodesWhoseResourcesAreUsedAlike) {
  testing::ClusterBuilder cluster;
  cluster.node("a", R"({"cpu":"4","memory":"4Gi"})").node("b", R"({"cpu":"4","memory":"16Gi"})");
  // a: 0.5 and 0.5; b: 0.5 and 0.125, which deviate by 0.1875.
  EXPECT_EQ(cluster.scored(Balance(), R"({"cpu":"2","memory":"2Gi"})"), "a=100 b=81");
}

TEST(Balance, SaysNothingAboutPodsThatAskForNothing) {
  testing::ClusterBuilder cluster;
  cluster.node("a");
  EXPECT_EQ(cluster.scored(Balance(), "{}"), "");
}

TEST(Balance, HasNothingToCompareOnANodeWithoutOneOfThem) {
  testing::ClusterBuilder cluster;
  cluster.node("a", R"({"memory":"0"})");
  EXPECT_EQ(cluster.scored(Balance(), R"({"cpu":"2"})"), "a=100");
}

}  // namespace
}  // namespace berth::nodes

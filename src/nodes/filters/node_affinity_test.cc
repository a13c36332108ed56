#include "nodes/filters/node_affinity.h"

#include <gtest/gtest.h>

#include "nodes/testing/cluster_builder.h"

namespace berth::nodes {
namespace {

TEST(NodeAffinity, KeepsTheNodesThatAreMeant) {
  testing::ClusterBuilder cluster;
  cluster.node("a", R"({"labels":{"zone":"x"}})").node("b", R"({"labels":{"zone":"y"}})");
  EXPECT_EQ(cluster.filtered(NodeAffinity(), "{}"), "a; b");
  EXPECT_EQ(cluster.filtered(NodeAffinity(), R"({"spec":{"nodeSelector":{"zone":"y"}}})"),
            "a: node(s) didn't match Pod's node affinity/selector!; b");
}

}  // namespace
}  // namespace berth::nodes

#include "nodes/filters/node_unschedulable.h"

#include <gtest/gtest.h>

#include "nodes/testing/cluster_builder.h"

namespace berth::nodes {
namespace {

TEST(NodeUnschedulable, RefusesCordonedNodesUnlessTolerated) {
  testing::ClusterBuilder cluster;
  cluster.node("a", R"({"unschedulable":true})").node("b");
  EXPECT_EQ(cluster.filtered(NodeUnschedulable(), "{}"), "a: node(s) were unschedulable!; b");
  EXPECT_EQ(cluster.filtered(NodeUnschedulable(), R"({"spec":{"tolerations":[
      {"key":"node.kubernetes.io/unschedulable","operator":"Exists"}]}})"),
            "a; b");
}

}  // namespace
}  // namespace berth::nodes

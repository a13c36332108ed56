#include "nodes/filters/node_ports.h"

#include <gtest/gtest.h>

#include "nodes/testing/cluster_builder.h"

namespace berth::nodes {
namespace {

TEST(NodePorts, RefusesNodesWhereAPortIsTaken) {
  testing::ClusterBuilder cluster;
  cluster.node("a").node("b").pod("x", R"({"node":"a","ports":[80]})");
  EXPECT_EQ(cluster.filtered(NodePorts(), R"({"ports":[80]})"),
            "a: node(s) didn't have free ports for the requested pod ports; b");
  EXPECT_EQ(cluster.filtered(NodePorts(), R"({"ports":[81]})"), "a; b");
  EXPECT_EQ(cluster.filtered(NodePorts(), "{}"), "a; b");
}

}  // namespace
}  // namespace berth::nodes

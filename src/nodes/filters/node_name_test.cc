#include "nodes/filters/node_name.h"

#include <gtest/gtest.h>

#include "nodes/testing/cluster_builder.h"

namespace berth::nodes {
namespace {

TEST(NodeName, KeepsTheNodeThatIsNamed) {
  testing::ClusterBuilder cluster;
  cluster.node("a").node("b");
  EXPECT_EQ(cluster.filtered(NodeName(), "{}"), "a; b");
  EXPECT_EQ(cluster.filtered(NodeName(), R"({"node":"b"})"),
            "a: node(s) didn't match the requested node name!; b");
}

}  // namespace
}  // namespace berth::nodes

#include "nodes/scorers/taint_preference.h"

#include <gtest/gtest.h>

#include "nodes/testing/cluster_builder.h"

namespace berth::nodes {
namespace {

TEST(TaintPreference, PrefersNodesWithFewerTaints) {
  testing::ClusterBuilder cluster;
  cluster.node("a").node("b", R"({"taints":[{"key":"k","effect":"PreferNoSchedule"}]})");
  cluster.node("c", R"({"taints":[{"key":"k","effect":"PreferNoSchedule"},
                                  {"key":"l","effect":"PreferNoSchedule"}]})");
  EXPECT_EQ(cluster.scored(TaintPreference(), "{}"), "a=100 b=50 c=0");
  EXPECT_EQ(cluster.scored(TaintPreference(),
                           R"({"spec":{"tolerations":[{"key":"k","operator":"Exists"}]}})"),
            "a=100 b=100 c=0");
  EXPECT_EQ(
      cluster.scored(TaintPreference(), R"({"spec":{"tolerations":[{"operator":"Exists"}]}})"), "");
}

}  // namespace
}  // namespace berth::nodes

#include "nodes/filters/taint_toleration.h"

#include <gtest/gtest.h>

#include "nodes/testing/cluster_builder.h"

namespace berth::nodes {
namespace {

TEST(TaintToleration, RefusesTaintsThatRepel) {
  testing::ClusterBuilder cluster;
  cluster.node("a", R"({"taints":[{"key":"k","value":"v","effect":"NoSchedule"}]})");
  cluster.node("b", R"({"taints":[{"key":"k","effect":"NoExecute"}]})");
  cluster.node("c", R"({"taints":[{"key":"k","effect":"PreferNoSchedule"}]})");
  EXPECT_EQ(cluster.filtered(TaintToleration(), "{}"),
            "a: node(s) had untolerated taint {k: v}!; b: node(s) had untolerated taint {k: }!; c");
  EXPECT_EQ(cluster.filtered(TaintToleration(), R"({"spec":{"tolerations":[
      {"key":"k","operator":"Exists","effect":"NoSchedule"}]}})"),
            "a; b: node(s) had untolerated taint {k: }!; c");
}

}  // namespace
}  // namespace berth::nodes

#include "nodes/scorers/node_affinity_preference.h"

#include <gtest/gtest.h>

#include "nodes/testing/cluster_builder.h"

namespace berth::nodes {
namespace {

TEST(NodeAffinityPreference, CountsInProportionToTheBest) {
  testing::ClusterBuilder cluster;
  cluster.node("a", R"({"labels":{"zone":"x","disk":"ssd"}})");
  cluster.node("b", R"({"labels":{"zone":"x"}})").node("c");
  EXPECT_EQ(cluster.scored(NodeAffinityPreference(), R"({"spec":{"affinity":{"nodeAffinity":{
      "preferredDuringSchedulingIgnoredDuringExecution":[
        {"weight":1,"preference":{"matchExpressions":[{"key":"zone","operator":"Exists"}]}},
        {"weight":3,"preference":{"matchExpressions":[{"key":"disk","operator":"Exists"}]}}
      ]}}}})"),
            "a=100 b=25 c=0");
  EXPECT_EQ(cluster.scored(NodeAffinityPreference(), "{}"), "");
}

}  // namespace
}  // namespace berth::nodes

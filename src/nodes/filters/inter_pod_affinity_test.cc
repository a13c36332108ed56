#include "nodes/filters/inter_pod_affinity.h"

#include <gtest/gtest.h>

#include "nodes/testing/cluster_builder.h"

namespace berth::nodes {
namespace {

using testing::ClusterBuilder;

// A pod on node a that will not have pods with app=web near it, by that key.
std::string repelling(std::string_view key, std::string_view more = "") {
  return fmt::format(
      R"({{"node":"a","spec":{{"affinity":{{"podAntiAffinity":{{
         "requiredDuringSchedulingIgnoredDuringExecution":[{{"topologyKey":"{}",
         "labelSelector":{{"matchLabels":{{"app":"web"}}}}{}}}]}}}}}}}})",
      key, more);
}

constexpr std::string_view kWeb = R"({"labels":{"app":"web"}})";
constexpr std::string_view kRefused = "node(s) didn't satisfy existing pods anti-affinity rules";

ClusterBuilder two_nodes_of_a_zone() {
  ClusterBuilder cluster;
  for (const char* name : {"a", "b"}) cluster.node(name, R"({"labels":{"zone":"x"}})");
  cluster.node("c", R"({"labels":{"zone":"y"}})");
  return cluster;
}

TEST(InterPodAffinity, RespectsWhatExistingPodsWillNotHave) {
  ClusterBuilder cluster = two_nodes_of_a_zone();
  EXPECT_EQ(cluster.filtered(InterPodAffinity(), kWeb), "a; b; c");
  cluster.pod("x", repelling("zone"));
  EXPECT_EQ(cluster.filtered(InterPodAffinity(), kWeb),
            fmt::format("a: {}; b: {}; c", kRefused, kRefused));
  EXPECT_EQ(cluster.filtered(InterPodAffinity(), R"({"labels":{"app":"db"}})"), "a; b; c");
  cluster.pod("x", repelling("kubernetes.io/hostname"));
  cluster.snapshot().remove_pod("uid-x");
  EXPECT_EQ(cluster.filtered(InterPodAffinity(), kWeb), "a; b; c");
  cluster.pod("x", repelling("kubernetes.io/hostname"));
  EXPECT_EQ(cluster.filtered(InterPodAffinity(), kWeb), fmt::format("a: {}; b; c", kRefused));
}

TEST(InterPodAffinity, KnowsWhichNamespacesAreMeant) {
  const std::string refused = fmt::format("a: {}; b; c", kRefused);
  const std::pair<std::string_view, std::string> cases[] = {
      {"", refused},  // Its own, which is the pod's.
      {R"(,"namespaces":["other"])", "a; b; c"},
      {R"(,"namespaces":["other","ns"])", refused},
      {R"(,"namespaceSelector":{})", refused},
      // Which namespaces have the label is not known: rather none than a broken promise.
      {R"(,"namespaceSelector":{"matchLabels":{"a":"b"}})", refused},
  };
  for (const auto& [more, expected] : cases) {
    ClusterBuilder cluster = two_nodes_of_a_zone();
    cluster.pod("x", repelling("kubernetes.io/hostname", more));
    EXPECT_EQ(cluster.filtered(InterPodAffinity(), kWeb), expected) << more;
  }
}

TEST(InterPodAffinity, RefusesEverybodyWhenATermCannotBeRead) {
  ClusterBuilder cluster;
  cluster.node("a").pod("x", R"({"node":"a","spec":{"affinity":{"podAntiAffinity":{
      "requiredDuringSchedulingIgnoredDuringExecution":[{"topologyKey":"kubernetes.io/hostname",
      "labelSelector":{"matchExpressions":[{"key":"a","operator":"Like"}]}}]}}}})");
  EXPECT_EQ(cluster.filtered(InterPodAffinity(), "{}"), fmt::format("a: {}", kRefused));
}

TEST(InterPodAffinity, PassesNodesWithoutTheTopologysLabel) {
  ClusterBuilder cluster;
  cluster.node("a").pod("x", repelling("zone"));
  EXPECT_EQ(cluster.filtered(InterPodAffinity(), kWeb), "a");
}

}  // namespace
}  // namespace berth::nodes

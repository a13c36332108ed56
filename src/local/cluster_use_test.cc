#include "local/cluster_use.h"

#include <gtest/gtest.h>

#include "json/parse.h"
#include "local/example_cluster.h"

namespace berth::local {
namespace {

json::Value pod(std::string_view node, std::string_view phase) {
  json::Value pod = json::parse(R"({"spec":{"containers":[{"name":"web","resources":
      {"requests":{"cpu":"2","memory":"1Gi"}}}]}})")
                        .value();
  pod["spec"]["nodeName"] = node;
  pod["status"]["phase"] = phase;
  return pod;
}

TEST(ClusterUse, IsWhatPodsOnNodesAskedForOfWhatNodesHave) {
  ClusterUse use;
  EXPECT_EQ(use.part("cpu"), 0) << "without nodes there is nothing to use";
  use.add_node(example_node(1));  // 8 cores, 16Gi.
  use.add_node(example_node(2));
  for (int i = 0; i < 4; ++i) use.add_pod(pod("node1", "Running"));
  EXPECT_EQ(use.part("cpu"), 0.5);
  EXPECT_EQ(use.part("memory"), 0.125);
}

TEST(ClusterUse, LeavesOutPodsThatWaitOrHaveEnded) {
  ClusterUse use;
  use.add_node(example_node(1));
  use.add_pod(pod("", "Pending"));
  use.add_pod(pod("node1", "Succeeded"));
  use.add_pod(pod("node1", "Failed"));
  EXPECT_EQ(use.part("cpu"), 0);
  use.add_pod(pod("node1", "Pending"));
  EXPECT_EQ(use.part("cpu"), 0.25);
}

}  // namespace
}  // namespace berth::local

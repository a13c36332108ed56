#include "nodes/shapes.h"

#include <gtest/gtest.h>

#include "nodes/testing/cluster_builder.h"

namespace berth::nodes {
namespace {

using testing::ClusterBuilder;

class PodShapes : public ::testing::Test {
 protected:
  void put(std::string_view name, std::string_view extra) {
    const auto change = cluster_.snapshot().put_node(testing::node(name, extra));
    shapes_.on_node(change->node);
  }

  // The nodes that are accepted, of those that are there.
  std::string accepted(const PendingPod& pod) {
    const Cycle cycle = Cycle::of(cluster_.snapshot(), pod);
    const Shapes::Accepted& found = shapes_.accepted(cycle, profile_);
    std::string names;
    for (const NodeSlot node : cluster_.snapshot().nodes()) {
      if (found.test(node)) names += cluster_.snapshot().name(node);
    }
    return names;
  }

  ClusterBuilder cluster_;
  Profile profile_ = default_profile();
  Shapes shapes_;
};

TEST_F(PodShapes, FollowNodesThatChange) {
  const PendingPod pod = testing::pending("p", R"({"spec":{"nodeSelector":{"zone":"x"}}})");
  put("a", R"({"labels":{"zone":"x"}})");
  put("b", R"({"labels":{"zone":"y"}})");
  EXPECT_EQ(accepted(pod), "a");
  put("b", R"({"labels":{"zone":"x"}})");
  EXPECT_EQ(accepted(pod), "ab");
  put("a", R"({"labels":{"zone":"x"},"unschedulable":true})");
  EXPECT_EQ(accepted(pod), "b");
}

TEST_F(PodShapes, FollowNodesThatComeAndGo) {
  const PendingPod pod = testing::pending("p", R"({"spec":{"nodeSelector":{"zone":"x"}}})");
  put("a", R"({"labels":{"zone":"x"}})");
  EXPECT_EQ(accepted(pod), "a");
  cluster_.snapshot().remove_node("a");
  put("b", "{}");  // In the place of the other.
  EXPECT_EQ(accepted(pod), "");
  for (int i = 0; i < 200; ++i) put(fmt::format("n{}", i), "{}");
  EXPECT_EQ(accepted(pod), "");
  put("n199", R"({"labels":{"zone":"x"}})");
  EXPECT_EQ(accepted(pod), "n199");
}

TEST_F(PodShapes, StayRightWhenChangesAreManyMoreThanNodes) {
  const PendingPod pod = testing::pending("p", R"({"spec":{"nodeSelector":{"zone":"x"}}})");
  put("a", "{}");
  EXPECT_EQ(accepted(pod), "");
  for (int i = 0; i < 5000; ++i) {
    put("a", i % 2 == 0 ? R"({"labels":{"zone":"x"}})" : "{}");
    if (i % 1000 == 0) accepted(pod);
  }
  EXPECT_EQ(accepted(pod), "");
  put("a", R"({"labels":{"zone":"x"}})");
  EXPECT_EQ(accepted(pod), "a");
}

TEST_F(PodShapes, AreNotRememberedWithoutBound) {
  put("a", "{}");
  for (int i = 0; i < 3000; ++i) {
    accepted(
        testing::pending("p", fmt::format(R"({{"spec":{{"nodeSelector":{{"k":"{}"}}}}}})", i)));
  }
  EXPECT_LE(shapes_.size(), 1024u);
}

TEST_F(PodShapes, OfTwoProfilesAreApart) {
  put("a", R"({"unschedulable":true})");
  const PendingPod pod = testing::pending("p");
  EXPECT_EQ(accepted(pod), "");
  profile_.scheduler_name = "other";
  profile_.filters.clear();
  EXPECT_EQ(accepted(pod), "a");
}

}  // namespace
}  // namespace berth::nodes

#include "nodes/profile.h"

#include <gtest/gtest.h>

namespace berth::nodes {
namespace {

TEST(Profile, LooksForFewerNodesTheMoreThereAre) {
  EXPECT_EQ(nodes_to_find(50, 0), 50u);
  EXPECT_EQ(nodes_to_find(100, 0), 100u);  // Never fewer than a hundred.
  EXPECT_EQ(nodes_to_find(1000, 0), 420u);
  EXPECT_EQ(nodes_to_find(5000, 0), 500u);
  EXPECT_EQ(nodes_to_find(100'000, 0), 5000u);
  EXPECT_EQ(nodes_to_find(5000, 30), 1500u);
  EXPECT_EQ(nodes_to_find(5000, 100), 5000u);
}

TEST(Profile, HasEverythingUnlessToldOtherwise) {
  const Profile profile = default_profile();
  EXPECT_EQ(profile.filters.size(), 8u);
  EXPECT_EQ(profile.scorers.size(), 5u);
}

}  // namespace
}  // namespace berth::nodes

#include "nodes/scorers/normalise.h"

#include <vector>

#include <gtest/gtest.h>

namespace berth::nodes {
namespace {

TEST(Normalise, KeepsProportions) {
  std::vector<std::int64_t> points = {0, 5, 20};
  normalise(points, Best::Most);
  EXPECT_EQ(points, (std::vector<std::int64_t>{0, 25, 100}));
  points = {0, 5, 20};
  normalise(points, Best::Fewest);
  EXPECT_EQ(points, (std::vector<std::int64_t>{100, 75, 0}));
}

TEST(Normalise, TreatsAllZerosAlike) {
  std::vector<std::int64_t> points = {0, 0};
  normalise(points, Best::Fewest);
  EXPECT_EQ(points, (std::vector<std::int64_t>{100, 100}));
}

}  // namespace
}  // namespace berth::nodes

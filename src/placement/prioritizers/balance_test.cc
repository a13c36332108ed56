#include "placement/prioritizers/balance.h"

#include <gtest/gtest.h>

#include "placement/testing/fleet_builder.h"

namespace berth::placement {
namespace {

using testing::FleetBuilder;

// Score of cluster a when others use it `count` times and the most used cluster `max` times.
std::int32_t score(int count, int max) {
  FleetBuilder fleet;
  fleet.cluster("a").cluster("b");
  for (int i = 0; i < max; ++i) fleet.decision({"ghost"}, fmt::format("g{}", i));
  for (int i = 0; i < count; ++i) fleet.decision({"a"}, fmt::format("q{}", i));
  const Schedule result = testing::schedule(fleet);
  return result.prioritizers.at(0).scores.at(0).points;
}

TEST(Balance, D2_D3_D4_RoundsAsTheReference) {
  const std::vector<std::vector<std::int32_t>> rows = {
      {100, -100},
      {100, 0, -100},
      {100, 32, -32, -100},
      {100, 50, 0, -50, -100},
      {100, 60, 18, -18, -60, -100},
      {100, 66, 32, 0, -32, -66, -100},
      {100, 80, 60, 40, 18, 0, -18, -38, -60, -80, -100}};
  for (const auto& row : rows) {
    const int max = static_cast<int>(row.size()) - 1;
    for (int count = 0; count <= max; ++count) {
      EXPECT_EQ(score(count, max), row[static_cast<std::size_t>(count)]) << count << "/" << max;
    }
  }
}

TEST(Balance, D5_ThePlacementOfTheSameNameElsewhereCounts) {
  FleetBuilder fleet;
  fleet.cluster("a").cluster("b").decision({"a"}, "p", 1, "ns2");
  EXPECT_EQ(testing::chosen(fleet), "b:100 a:-100");
}

TEST(Balance, D6_OwnDecisionsDoNotCount) {
  FleetBuilder fleet;
  fleet.cluster("a").cluster("b").decision({"b", "b"}).decision({"b"}, "q");
  const Schedule result = testing::schedule(fleet);
  EXPECT_EQ(result.prioritizers[0].scores[0].points, 100);
  EXPECT_EQ(result.prioritizers[0].scores[1].points, -100);
}

}  // namespace
}  // namespace berth::placement

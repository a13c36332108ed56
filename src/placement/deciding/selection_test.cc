#include "placement/deciding/selection.h"

#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "placement/testing/fleet_builder.h"

namespace berth::placement {
namespace {

using testing::FleetBuilder;

TEST(Selection, WantsNoNegativeNumberAndNoMoreThanThereAre) {
  api::Placement placement;
  EXPECT_EQ(wanted_clusters(placement, 7), 7U);
  placement.number_of_clusters = 3;
  EXPECT_EQ(wanted_clusters(placement, 7), 3U);
  EXPECT_EQ(wanted_clusters(placement, 2), 2U);
  placement.number_of_clusters = -1;
  EXPECT_EQ(wanted_clusters(placement, 7), 0U);
}

TEST(Selection, TakesTheBestByScoreAndThenByName) {
  EXPECT_TRUE(rc::check([](const std::vector<std::int8_t>& totals, std::uint8_t wanted) {
    FleetBuilder fleet;
    std::vector<Ranked> feasible;
    std::vector<std::pair<std::int64_t, std::string>> expected;  // (-total, name)
    for (std::size_t i = 0; i < totals.size(); ++i) {
      // Names in another order than indices.
      const std::string name = fmt::format("c{:04}", (i * 7919) % 10000);
      fleet.cluster(name);
      feasible.push_back({.cluster = *fleet.view().clusters().find(name), .total = totals[i] % 4});
      expected.emplace_back(-(totals[i] % 4), name);
    }
    std::ranges::sort(expected);
    const std::size_t count = std::min<std::size_t>(wanted, totals.size());
    const CompiledPlacement placement =
        testing::compiled(fmt::format(R"({{"numberOfClusters":{}}})", wanted));
    const PastDecisions past;
    const Options options;
    const Selection selection = select({.placement = placement,
                                        .fleet = fleet.view(),
                                        .past = past,
                                        .options = options,
                                        .now = fleet.now()},
                                       feasible);
    RC_ASSERT(selection.chosen.size() == count);
    for (std::size_t i = 0; i < count; ++i) {
      RC_ASSERT(fleet.view().name(selection.chosen[i].cluster) == expected[i].second);
    }
  }));
}

}  // namespace
}  // namespace berth::placement

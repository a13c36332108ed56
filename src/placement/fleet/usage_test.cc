#include "placement/fleet/usage.h"

#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace berth::placement {
namespace {

TEST(Usage, CountsHowOftenAClusterIsNamed) {
  Usage usage;
  usage.add(3);
  usage.add(3);
  usage.add(1);
  usage.remove(3);
  EXPECT_EQ(usage.count(3), 1U);
  EXPECT_EQ(usage.count(1), 1U);
  EXPECT_EQ(usage.count(99), 0U);
}

TEST(Usage, MaxWithoutOwnIsWhatACountFromScratchGives) {
  EXPECT_TRUE(
      rc::check([](const std::vector<std::uint8_t>& others, const std::vector<std::uint8_t>& own) {
        Usage usage;
        std::vector<ClusterIndex> own_clusters;
        std::vector<std::uint32_t> counts(8);
        for (const std::uint8_t cluster : others) {
          usage.add(cluster % 8);
          ++counts[cluster % 8];
        }
        for (const std::uint8_t cluster : own) {
          usage.add(cluster % 8);
          own_clusters.push_back(cluster % 8);
        }
        RC_ASSERT(usage.max_without(own_clusters) == std::ranges::max(counts));
        for (const ClusterIndex cluster : own_clusters) usage.remove(cluster);
        RC_ASSERT(usage.max_without({}) == std::ranges::max(counts));
      }));
}

}  // namespace
}  // namespace berth::placement

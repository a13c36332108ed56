#include "placement/fleet/cluster_bits.h"

#include <gtest/gtest.h>

namespace berth::placement {
namespace {

ClusterBits bits(std::initializer_list<ClusterIndex> clusters) {
  ClusterBits made;
  for (const ClusterIndex cluster : clusters) made.set(cluster);
  return made;
}

TEST(ClusterBits, HoldsWhatWasPutIn) {
  ClusterBits some = bits({0, 63, 64, 200});
  some.reset(64);
  some.reset(5000);
  EXPECT_TRUE(some.test(63));
  EXPECT_FALSE(some.test(64));
  EXPECT_FALSE(some.test(5000));
  EXPECT_EQ(some.count(), 3U);
  EXPECT_EQ(some.indices(), (std::vector<ClusterIndex>{0, 63, 200}));
}

TEST(ClusterBits, UniteAndSubtractAcrossSizes) {
  ClusterBits some = bits({1});
  some |= bits({100, 2});
  EXPECT_EQ(some.indices(), (std::vector<ClusterIndex>{1, 2, 100}));
  some -= bits({2, 1000});
  EXPECT_EQ(some.indices(), (std::vector<ClusterIndex>{1, 100}));
}

}  // namespace
}  // namespace berth::placement

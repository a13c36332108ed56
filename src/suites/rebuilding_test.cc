#include "suites/rebuilding.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "sim/explore.h"

namespace berth::suites {
namespace {

TEST(RebuildingSuite, OverCommitsNoNodeAndLeaksNoHold) {
  const sim::SeedRange seeds = sim::parse_seeds(std::getenv("BERTH_SEEDS"));
  const sim::Exploration exploration =
      sim::explore(rebuilding_suite(RebuildingMistake::None), seeds);
  EXPECT_TRUE(exploration.failures.empty()) << exploration.what();
  EXPECT_EQ(exploration.runs, seeds.count);
}

TEST(RebuildingSuite, NoticesWhatIsWrong) {
  for (const RebuildingMistake mistake :
       {RebuildingMistake::Meddler, RebuildingMistake::NoScheduler, RebuildingMistake::Unelected}) {
    const sim::Exploration exploration =
        sim::explore(rebuilding_suite(mistake), {.first = 1, .count = 20, .failures_max = 1});
    EXPECT_FALSE(exploration.failures.empty()) << static_cast<int>(mistake);
  }
}

}  // namespace
}  // namespace berth::suites

#include "suites/placing.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "sim/explore.h"

namespace berth::suites {
namespace {

TEST(Placing, EndsInTheRightDecisionsAfterEveryFault) {
  const sim::SeedRange seeds = sim::parse_seeds(std::getenv("BERTH_SEEDS"));
  const sim::Exploration exploration = sim::explore(placing_suite(PlacingMistake::None), seeds);
  EXPECT_TRUE(exploration.failures.empty()) << exploration.what();
  EXPECT_EQ(exploration.runs, seeds.count);
}

TEST(Placing, NoticesWhatIsWrong) {
  for (const PlacingMistake mistake :
       {PlacingMistake::ExpiryWakesNobody, PlacingMistake::LostEvents}) {
    const sim::Exploration exploration =
        sim::explore(placing_suite(mistake), {.first = 1, .count = 20, .failures_max = 1});
    EXPECT_FALSE(exploration.failures.empty()) << static_cast<int>(mistake);
  }
}

}  // namespace
}  // namespace berth::suites

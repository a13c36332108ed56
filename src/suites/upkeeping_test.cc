#include "suites/upkeeping.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "sim/explore.h"

namespace berth::suites {
namespace {

TEST(Upkeeping, DeletesWhatShouldGoAndNothingElse) {
  const sim::SeedRange seeds = sim::parse_seeds(std::getenv("BERTH_SEEDS"));
  const sim::Exploration exploration = sim::explore(upkeeping_suite(UpkeepingMistake::None), seeds);
  EXPECT_TRUE(exploration.failures.empty()) << exploration.what();
  EXPECT_EQ(exploration.runs, seeds.count);
}

TEST(Upkeeping, NoticesWhatIsWrong) {
  for (const UpkeepingMistake mistake :
       {UpkeepingMistake::LooseDeletes, UpkeepingMistake::NoUpkeep}) {
    const sim::Exploration exploration =
        sim::explore(upkeeping_suite(mistake), {.first = 1, .count = 20, .failures_max = 1});
    EXPECT_FALSE(exploration.failures.empty()) << static_cast<int>(mistake);
  }
}

}  // namespace
}  // namespace berth::suites

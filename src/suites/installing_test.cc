#include "suites/installing.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "sim/explore.h"

namespace berth::suites {
namespace {

// A world with a whole hub in it takes many times as long as others: one seed where they have ten.
TEST(Installing, BringsTheAddOnWhereItIsWantedAndNowhereElse) {
  sim::SeedRange seeds = sim::parse_seeds(std::getenv("BERTH_SEEDS"));
  seeds.count = (seeds.count + 9) / 10;
  const sim::Exploration exploration =
      sim::explore(installing_suite(InstallingMistake::None), seeds);
  EXPECT_TRUE(exploration.failures.empty()) << exploration.what();
  EXPECT_EQ(exploration.runs, seeds.count);
}

TEST(Installing, NoticesWhatIsWrong) {
  for (const InstallingMistake mistake :
       {InstallingMistake::Hasty, InstallingMistake::Reckless, InstallingMistake::NoManager}) {
    const sim::Exploration exploration =
        sim::explore(installing_suite(mistake), {.first = 1, .count = 20, .failures_max = 1});
    EXPECT_FALSE(exploration.failures.empty()) << static_cast<int>(mistake);
  }
}

}  // namespace
}  // namespace berth::suites

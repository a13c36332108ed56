#include "suites/delivering.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "sim/explore.h"

namespace berth::suites {
namespace {

TEST(Delivering, BringsWhatIsWantedAndTakesBackNothingElse) {
  const sim::SeedRange seeds = sim::parse_seeds(std::getenv("BERTH_SEEDS"));
  const sim::Exploration exploration =
      sim::explore(delivering_suite(DeliveringMistake::None), seeds);
  EXPECT_TRUE(exploration.failures.empty()) << exploration.what();
  EXPECT_EQ(exploration.runs, seeds.count);
}

TEST(Delivering, NoticesWhatIsWrong) {
  for (const DeliveringMistake mistake :
       {DeliveringMistake::LooseDeletes, DeliveringMistake::HastyEviction,
        DeliveringMistake::Unelected, DeliveringMistake::NoAgent}) {
    const sim::Exploration exploration =
        sim::explore(delivering_suite(mistake), {.first = 1, .count = 20, .failures_max = 1});
    EXPECT_FALSE(exploration.failures.empty()) << static_cast<int>(mistake);
  }
}

}  // namespace
}  // namespace berth::suites

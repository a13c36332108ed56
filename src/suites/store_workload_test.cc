// The store in worlds that break, and its broken variants, which the simulator has to find.

#include "suites/store_workload.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "sim/explore.h"

namespace berth::suites {
namespace {

TEST(StoreInTheSimulator, KeepsWhatItHasAnswered) {
  const sim::Exploration exploration =
      sim::explore(store_suite(StoreMistake::None), sim::parse_seeds(std::getenv("BERTH_SEEDS")));
  EXPECT_TRUE(exploration.failures.empty()) << exploration.what();
  std::printf("%lu seeds, %lu events, %.0f simulated seconds\n", exploration.runs,
              exploration.events, std::chrono::duration<double>(exploration.simulated).count());
}

class BrokenStore : public ::testing::TestWithParam<StoreMistake> {};

TEST_P(BrokenStore, IsFoundToBeWrong) {
  const sim::Exploration exploration =
      sim::explore(store_suite(GetParam()), {.first = 1, .count = 100, .failures_max = 1});
  ASSERT_FALSE(exploration.failures.empty());
  const sim::RunReport& report = exploration.failures[0].report;
  EXPECT_EQ(report.outcome, sim::RunOutcome::Wrong) << report.what;
  std::printf("found after %lu seeds\n", exploration.failures.front().seed);
}

INSTANTIATE_TEST_SUITE_P(AllMistakes, BrokenStore,
                         ::testing::Values(StoreMistake::AnswersBeforeSync,
                                           StoreMistake::ReusesARevision,
                                           StoreMistake::DropsAChange));

}  // namespace
}  // namespace berth::suites

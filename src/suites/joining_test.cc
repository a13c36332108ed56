#include "suites/joining.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "sim/explore.h"

namespace berth::suites {
namespace {

// A world with a whole hub in it takes many times as long as others: one seed where they have ten.
TEST(Joining, BringsClustersInAndLetsThemGo) {
  sim::SeedRange seeds = sim::parse_seeds(std::getenv("BERTH_SEEDS"));
  seeds.count = (seeds.count + 9) / 10;
  const sim::Exploration exploration = sim::explore(joining_suite(JoiningMistake::None), seeds);
  EXPECT_TRUE(exploration.failures.empty()) << exploration.what();
  EXPECT_EQ(exploration.runs, seeds.count);
}

TEST(Joining, NoticesWhatIsWrong) {
  for (const JoiningMistake mistake :
       {JoiningMistake::LeavesBehind, JoiningMistake::TrustsPrefixes,
        JoiningMistake::DeletesTooMuch, JoiningMistake::NoController}) {
    const sim::Exploration exploration =
        sim::explore(joining_suite(mistake), {.first = 1, .count = 20, .failures_max = 1});
    EXPECT_FALSE(exploration.failures.empty()) << static_cast<int>(mistake);
  }
}

}  // namespace
}  // namespace berth::suites

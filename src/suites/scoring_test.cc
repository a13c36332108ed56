#include "suites/scoring.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "sim/explore.h"

namespace berth::suites {
namespace {

TEST(Scoring, NeverLiesAndEndsInTheTruthAfterEveryFault) {
  const sim::SeedRange seeds = sim::parse_seeds(std::getenv("BERTH_SEEDS"));
  const sim::Exploration exploration = sim::explore(scoring_suite(ScoringMistake::None), seeds);
  EXPECT_TRUE(exploration.failures.empty()) << exploration.what();
  EXPECT_EQ(exploration.runs, seeds.count);
}

TEST(Scoring, NoticesWhatIsWrong) {
  for (const ScoringMistake mistake : {ScoringMistake::OwnCalendar, ScoringMistake::BlindTrust,
                                       ScoringMistake::LostEvents, ScoringMistake::NeverLapses}) {
    const sim::Exploration exploration =
        sim::explore(scoring_suite(mistake), {.first = 1, .count = 20, .failures_max = 1});
    EXPECT_FALSE(exploration.failures.empty()) << static_cast<int>(mistake);
  }
}

}  // namespace
}  // namespace berth::suites

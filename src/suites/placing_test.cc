#include "suites/placing.h"

#include <cstdlib>
#include <string_view>

#include <gmock/gmock.h>
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
  struct Case {
    PlacingMistake mistake;
    std::string_view said;
  };
  for (const Case& c : {Case{PlacingMistake::ExpiryWakesNobody, "should be decided anew"},
                        Case{PlacingMistake::LostEvents, "lacks a write"},
                        Case{PlacingMistake::Rival, "again and again"}}) {
    const sim::Exploration exploration =
        sim::explore(placing_suite(c.mistake), {.first = 1, .count = 20});
    EXPECT_THAT(exploration.what(), ::testing::HasSubstr(c.said));
  }
}

}  // namespace
}  // namespace berth::suites

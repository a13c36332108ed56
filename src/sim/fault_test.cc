#include "sim/fault.h"

#include <gtest/gtest.h>

namespace berth::sim {
namespace {

using namespace std::chrono_literals;

TEST(Episodes, StrikeAgainAndAgainUntilTheyDie) {
  World world({.seed = 1});
  int strikes = 0;
  {
    const Episodes episodes(world, Random(1), 1s, [&](World&, Random&) { ++strikes; });
    world.run_for(1000s);
    EXPECT_GT(strikes, 800);
    EXPECT_LT(strikes, 1200);
  }
  const int before = strikes;
  world.run_for(100s);
  EXPECT_EQ(strikes, before);
}

TEST(DrawLength, StaysInRangeAndFavoursNeitherEnd) {
  Random random(1);
  int small = 0;
  for (int i = 0; i < 1000; ++i) {
    const Duration length = draw_length(random, 1ms, 10s);
    ASSERT_GE(length, 1ms);
    ASSERT_LE(length, 10s);
    if (length < 100ms) ++small;
  }
  EXPECT_GT(small, 350);
  EXPECT_LT(small, 650);
}

TEST(ToText, PicksTheUnit) {
  EXPECT_EQ(to_text(1500ms), "1.5s");
  EXPECT_EQ(to_text(20ms), "20ms");
  EXPECT_EQ(to_text(1500ns), "1.5us");
}

}  // namespace
}  // namespace berth::sim

#include "scores/generators/pace.h"

#include <gtest/gtest.h>

namespace berth::scores {
namespace {

using namespace std::chrono_literals;

constexpr Instant kStart{100s};

TEST(Pace, BeginsAtOnceAndComesAgainAfterTheInterval) {
  Pace pace({.interval = 60s}, kStart);
  EXPECT_EQ(pace.due(), kStart);
  pace.begin(kStart);
  EXPECT_EQ(pace.due(), std::nullopt);
  EXPECT_TRUE(pace.end(kStart + 1s, 0.5));
  EXPECT_EQ(pace.due(), kStart + 60s);
}

TEST(Pace, WaitsBetweenTheRunsOfARound) {
  Pace pace({.runs = 2, .wait_between_runs = 10s}, kStart);
  pace.begin(kStart);
  EXPECT_FALSE(pace.end(kStart + 1s, 0.5));
  EXPECT_EQ(pace.due(), kStart + 11s);
  pace.begin(kStart + 11s);
  EXPECT_TRUE(pace.end(kStart + 12s, 0.5));
  EXPECT_EQ(pace.due(), kStart + 60s);  // Counted from the round's beginning.
}

TEST(Pace, SpreadsRoundsByATenthEitherWay) {
  for (const auto& [draw, length] : {std::pair(0.0, 54s), std::pair(1.0, 66s)}) {
    Pace pace({.interval = 60s}, kStart);
    pace.begin(kStart);
    pace.end(kStart, draw);
    EXPECT_EQ(pace.due(), kStart + length);
  }
}

TEST(Pace, GoesOnAtOnceWhenARoundTookLongerThanTheInterval) {
  Pace pace({.interval = 10s}, kStart);
  pace.begin(kStart);
  pace.end(kStart + 15s, 0.5);
  EXPECT_EQ(pace.due(), kStart + 15s);
}

}  // namespace
}  // namespace berth::scores

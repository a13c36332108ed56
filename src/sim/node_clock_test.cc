#include "sim/node_clock.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace berth::sim {
namespace {

using namespace std::chrono_literals;

TEST(NodeClock, IsRightUnlessToldOtherwise) {
  const NodeClock clock({});
  EXPECT_EQ(clock.wall(5s), NodeClock::kBeginning + 5s);
  EXPECT_EQ(clock.monotonic(5s), Instant(5s));
}

TEST(NodeClock, StepsMoveTheCalendarOnly) {
  NodeClock clock({});
  clock.step_wall(-1h);
  EXPECT_EQ(clock.wall(5s), NodeClock::kBeginning + 5s - 1h);
  EXPECT_EQ(clock.monotonic(5s), Instant(5s));
}

TEST(NodeClock, ADriftMovesBothAndAChangeOfDriftStepsNeither) {
  NodeClock clock({.drift_ppm = 1000, .boot_offset = 10s});
  EXPECT_EQ(clock.monotonic(1000s), Instant(1011s));
  clock.set_drift(-1000, 1000s);
  EXPECT_EQ(clock.monotonic(1000s), Instant(1011s));
  EXPECT_EQ(clock.monotonic(2000s), Instant(2010s));
}

RC_GTEST_PROP(NodeClock, FindsTheMomentOfAReading,
              (std::uint32_t offset, std::uint64_t reading_seed)) {
  const auto ppm = *rc::gen::inRange(-100'000, 100'000);
  const NodeClock clock({.drift_ppm = ppm, .boot_offset = Duration(offset)});
  const Instant reading(Duration(offset + reading_seed % 1'000'000'000'000'000));
  const Moment moment = clock.when_reads(reading);
  RC_ASSERT(clock.monotonic(moment) >= reading);
  RC_ASSERT(moment == Moment::zero() || clock.monotonic(moment - Duration(10)) < reading);
}

}  // namespace
}  // namespace berth::sim

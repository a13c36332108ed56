#include "runtime/system_clock.h"

#include <string>

#include <gtest/gtest.h>

namespace berth::runtime {
namespace {

TEST(SystemClock, NeverMovesBackwardsOnItsMonotonicSide) {
  const SystemClock clock;
  Instant last = clock.monotonic();
  for (int i = 0; i < 1000; ++i) {
    const Instant reading = clock.monotonic();
    ASSERT_GE(reading, last);
    last = reading;
  }
}

TEST(SystemClock, ReadsTheCalendar) {
  const SystemClock clock;
  EXPECT_GT(clock.now(), Time::from_unix(1'700'000'000));
}

TEST(SystemEntropy, FillsAllBytesDifferently) {
  SystemEntropy entropy;
  std::string first(1000, '\0');
  std::string second(1000, '\0');
  entropy.fill(first);
  entropy.fill(second);
  EXPECT_NE(first, second);
  EXPECT_NE(first.substr(992), std::string(8, '\0'));
}

}  // namespace
}  // namespace berth::runtime

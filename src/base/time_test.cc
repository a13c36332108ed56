#include "base/time.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace berth {
namespace {

using namespace std::chrono_literals;

TEST(Time, CountsNanosecondsForwardFromTheSecondBelow) {
  const Time before_epoch(-1ns);
  EXPECT_EQ(before_epoch.unix_seconds(), -1);
  EXPECT_EQ(before_epoch.nanoseconds(), 999'999'999);
  EXPECT_EQ(before_epoch.truncated_to_seconds(), Time(-1s));
}

TEST(Time, SaturatesAtBothEndsOfTheCalendar) {
  EXPECT_EQ(Time::max() + 1ns, Time::max());
  EXPECT_EQ(Time::min() - 1ns, Time::min());
  EXPECT_EQ(Time::min() - Duration::min(), Time::min() + Duration::max());
  EXPECT_EQ(Time::max() - Time::min(), Duration::max());
  EXPECT_EQ(Time::min() - Time::max(), Duration::min());
}

RC_GTEST_PROP(TimeProperty, SubtractionUndoesAddition, (int base, std::int64_t length)) {
  const Time start = Time::from_unix(base, 123);
  const Duration step(length / 4);
  RC_ASSERT((start + step) - start == step);
  RC_ASSERT((start + step) - step == start);
}

RC_GTEST_PROP(TimeProperty, OrderFollowsTheSignOfTheDifference, (int a, int b)) {
  const Time first = Time::from_unix(a / 2, 5);
  const Time second = Time::from_unix(b / 2, 7);
  RC_ASSERT((first < second) == (first - second < 0ns));
}

TEST(Time, TheMostNegativeLengthsCanBeAdded) {
  const Time start = Time::from_unix(1'000, 5);
  EXPECT_EQ(start + Duration::min(), Time::from_unix(1'000 - 9'223'372'037, 145'224'197));
  EXPECT_EQ(start + Duration(-6), Time::from_unix(999, 999'999'999));
}

}  // namespace
}  // namespace berth

#include "client/backoff.h"

#include <gtest/gtest.h>

namespace berth::client {
namespace {

using namespace std::chrono_literals;

TEST(Backoff, DoublesUpToItsMaximum) {
  Backoff backoff({.jitter = 0});
  Random random(1);
  const Instant now{};
  const Duration expected[] = {800ms, 1600ms, 3200ms, 6400ms, 12800ms, 25600ms, 30s, 30s};
  for (const Duration delay : expected) EXPECT_EQ(backoff.next(now, random), delay);
}

TEST(Backoff, JitterLengthensADelayToLessThanTwice) {
  Random random(2);
  Duration shortest = Duration::max();
  Duration longest{};
  for (int i = 0; i < 1000; ++i) {
    Backoff backoff({});
    const Duration delay = backoff.next(Instant{}, random);
    ASSERT_GE(delay, 800ms);
    ASSERT_LT(delay, 1600ms);
    shortest = std::min(shortest, delay);
    longest = std::max(longest, delay);
  }
  EXPECT_LT(shortest, 830ms);
  EXPECT_GT(longest, 1570ms);
}

TEST(Backoff, StartsOverAfterAQuietTimeThatBeginsWhenTheDelayIsOver) {
  Backoff backoff({.jitter = 0});
  Random random(3);
  const Instant start{};
  EXPECT_EQ(backoff.next(start, random), 800ms);
  EXPECT_EQ(backoff.next(start + 2min, random), 1600ms) << "quiet for 0.8 s less than two minutes";
  EXPECT_EQ(backoff.next(start + 4min + 1600ms, random), 800ms);
}

TEST(Backoff, StartsOverWhenToldSo) {
  Backoff backoff({.jitter = 0});
  Random random(4);
  backoff.next(Instant{}, random);
  backoff.reset();
  EXPECT_EQ(backoff.next(Instant{}, random), 800ms);
}

TEST(Backoff, NeverExceedsItsMaximumEvenAtFirst) {
  Backoff backoff({.first = 1min, .max = 30s, .jitter = 0});
  Random random(5);
  EXPECT_EQ(backoff.next(Instant{}, random), 30s);
}

}  // namespace
}  // namespace berth::client

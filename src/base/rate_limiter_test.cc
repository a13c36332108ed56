#include "base/rate_limiter.h"

#include <chrono>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace berth {
namespace {

using namespace std::chrono_literals;

TEST(RateLimiter, ServesABurstAtOnceAndThenAtItsRate) {
  RateLimiter limiter({.per_second = 5, .burst = 3});
  const Instant now{1h};
  for (int i = 0; i < 3; ++i) EXPECT_EQ(limiter.reserve(now), 0s);
  EXPECT_EQ(limiter.reserve(now), 200ms);
  EXPECT_EQ(limiter.reserve(now), 400ms);
  EXPECT_EQ(limiter.reserve(now + 1s), 0s);
}

TEST(RateLimiter, NeverSavesMoreThanItsBurst) {
  RateLimiter limiter({.per_second = 5, .burst = 2});
  const Instant now{24h};
  EXPECT_EQ(limiter.reserve(now), 0s);
  EXPECT_EQ(limiter.reserve(now), 0s);
  EXPECT_GT(limiter.reserve(now), 0s);
}

TEST(RateLimiter, WithoutARateNobodyWaits) {
  RateLimiter limiter({.per_second = -1, .burst = 0});
  for (int i = 0; i < 100; ++i) EXPECT_EQ(limiter.reserve(Instant{}), 0s);
}

TEST(RateLimiter, ACancelledReservationIsFreeForTheNext) {
  RateLimiter limiter({.per_second = 1, .burst = 1});
  const Instant now{1s};
  limiter.reserve(now);
  EXPECT_EQ(limiter.reserve(now), 1s);
  limiter.cancel();
  EXPECT_EQ(limiter.reserve(now), 1s);
}

TEST(RateLimiter, AllowsTheBurstAndThenTheRate) {
  RateLimiter limiter({.per_second = 2, .burst = 10});
  const Instant start(100s);
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(limiter.allow(start)) << i;
  EXPECT_FALSE(limiter.allow(start));
  EXPECT_FALSE(limiter.allow(start + 499ms));
  EXPECT_TRUE(limiter.allow(start + 500ms));
  EXPECT_FALSE(limiter.allow(start + 500ms));
  EXPECT_TRUE(limiter.allow(start + 1s));
}

TEST(RateLimiter, GivesTheWholeBurstBackAfterAPause) {
  RateLimiter limiter({.per_second = 1, .burst = 3});
  for (int i = 0; i < 4; ++i) limiter.allow(Instant(0s));
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(limiter.allow(Instant(60s)));
  EXPECT_FALSE(limiter.allow(Instant(60s)));
}

RC_GTEST_PROP(RateLimiter, NeverGrantsMoreThanBurstPlusRateTimesTime, ()) {
  RateLimiter limiter({.per_second = 10, .burst = 5});
  Instant now{1s};
  const Instant start = now;
  std::vector<Instant> grants;
  const auto gaps = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 300));
  for (const int gap : gaps) {
    now += std::chrono::milliseconds(gap);
    grants.push_back(now + limiter.reserve(now));
  }
  for (std::size_t i = 0; i < grants.size(); ++i) {
    const double seconds = std::chrono::duration<double>(grants[i] - start).count();
    RC_ASSERT(static_cast<double>(i + 1) <= 5 + 10 * seconds + 1e-6);
    if (i > 0) RC_ASSERT(grants[i] >= grants[i - 1]);
  }
}

}  // namespace
}  // namespace berth

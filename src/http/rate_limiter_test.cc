#include "http/rate_limiter.h"

#include <gtest/gtest.h>

namespace berth::http {
namespace {

using namespace std::chrono_literals;

TEST(RateLimiter, AllowsTheBurstAndThenTheRate) {
  RateLimiter limiter({.burst = 10, .per_second = 2});
  const Instant start(100s);
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(limiter.allow(start)) << i;
  EXPECT_FALSE(limiter.allow(start));
  EXPECT_FALSE(limiter.allow(start + 499ms));
  EXPECT_TRUE(limiter.allow(start + 500ms));
  EXPECT_FALSE(limiter.allow(start + 500ms));
  EXPECT_TRUE(limiter.allow(start + 1s));
}

TEST(RateLimiter, GivesTheWholeBurstBackAfterAPause) {
  RateLimiter limiter({.burst = 3, .per_second = 1});
  for (int i = 0; i < 4; ++i) limiter.allow(Instant(0s));
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(limiter.allow(Instant(60s)));
  EXPECT_FALSE(limiter.allow(Instant(60s)));
}

}  // namespace
}  // namespace berth::http

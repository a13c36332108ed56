#include "base/rate_limiter.h"

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace berth {
namespace {

using Seconds = std::chrono::duration<double>;

Duration interval_of(RateLimit limit) {
  if (limit.per_second <= 0) return Duration::zero();
  return std::chrono::ceil<Duration>(Seconds(1 / limit.per_second));
}

}  // namespace

RateLimiter::RateLimiter(RateLimit limit)
    : interval_(interval_of(limit)),
      tolerance_(static_cast<std::int64_t>(static_cast<double>(interval_.count()) * limit.burst)) {}

Duration RateLimiter::wait(Instant now) const {
  const Duration ahead = std::max(full_until_, now) + interval_ - now;
  return std::max(Duration::zero(), ahead - tolerance_);
}

bool RateLimiter::allow(Instant now) {
  if (wait(now) > Duration::zero()) return false;
  reserve(now);
  return true;
}

Duration RateLimiter::reserve(Instant now) {
  const Duration length = wait(now);
  full_until_ = std::max(full_until_, now) + interval_;
  return length;
}

void RateLimiter::cancel() { full_until_ -= interval_; }

}  // namespace berth

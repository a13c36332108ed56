#include "client/rate_limiter.h"

#include <algorithm>
#include <chrono>

namespace berth::client {

using Seconds = std::chrono::duration<double>;

Duration RateLimiter::reserve(Instant now) {
  if (limit_.per_second <= 0) return Duration::zero();
  if (now > updated_) {
    const double refilled = Seconds(now - updated_).count() * limit_.per_second;
    tokens_ = std::min(limit_.burst, tokens_ + refilled);
    updated_ = now;
  }
  tokens_ -= 1;
  if (tokens_ >= 0) return Duration::zero();
  return std::chrono::ceil<Duration>(Seconds(-tokens_ / limit_.per_second));
}

void RateLimiter::cancel() { tokens_ = std::min(limit_.burst, tokens_ + 1); }

}  // namespace berth::client

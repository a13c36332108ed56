// Counts events against a Rate: so many at once, then so many per second.

#pragma once

#include <algorithm>

#include "base/time.h"
#include "http/limits.h"

namespace berth::http {

// The generic cell rate algorithm: one instant instead of a bucket that has to be refilled.
class RateLimiter {
 public:
  explicit RateLimiter(const Rate& rate)
      : interval_(Duration(std::chrono::seconds(1)) / std::max(rate.per_second, 1u)),
        tolerance_(interval_ * rate.burst) {}

  // Whether one more event at `now` is within the rate.
  bool allow(Instant now) {
    const Instant next = std::max(full_until_, now) + interval_;
    if (next - now > tolerance_) return false;
    full_until_ = next;
    return true;
  }

 private:
  Duration interval_;
  Duration tolerance_;
  Instant full_until_ = Instant::min();
};

}  // namespace berth::http

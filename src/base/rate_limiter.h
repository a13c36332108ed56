// So many at once, then so many per second: who is within that, or how long one has to wait for it.

#pragma once

#include "base/time.h"

namespace berth {

struct RateLimit {
  double per_second = 20;  // 0 or less: no limit.
  double burst = 40;
};

// The generic cell rate algorithm: one instant instead of a bucket that has to be refilled.
class RateLimiter {
 public:
  explicit RateLimiter(RateLimit limit);

  // Whether one more at `now` is within the rate; only then does it count.
  bool allow(Instant now);

  // Counts one more, at the latest in the future, and says how long to wait for it. Callers are
  // served in the order of their calls.
  Duration reserve(Instant now);

  // Takes back a reservation that was not used.
  void cancel();

 private:
  Duration wait(Instant now) const;  // Of one more.

  Duration interval_;
  Duration tolerance_;
  Instant full_until_ = {};
};

}  // namespace berth

// A token bucket as a value: how long a request has to wait for its turn.

#pragma once

#include "base/time.h"

namespace berth::client {

struct RateLimit {
  double per_second = 20;  // 0 or less: no limit; the server's own fairness decides.
  double burst = 40;
};

class RateLimiter {
 public:
  explicit RateLimiter(RateLimit limit) : limit_(limit), tokens_(limit.burst) {}

  // Takes one token, at the latest from the future, and says how long to wait until it is there.
  // Callers are served in the order of their calls.
  Duration reserve(Instant now);

  // Gives a token back that was reserved and not used.
  void cancel();

 private:
  RateLimit limit_;
  double tokens_;  // Negative: so many are promised already.
  Instant updated_{};
};

}  // namespace berth::client

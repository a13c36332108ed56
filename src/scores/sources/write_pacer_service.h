// When a write may go: a token bucket over all writers of scores, and a pause when the hub has too
// much to do.

#pragma once

#include <map>

#include "api/object_key.h"
#include "base/random.h"
#include "base/rate_limiter.h"
#include "base/result.h"
#include "base/time.h"
#include "client/backoff.h"

namespace berth::scores {

// A plain state machine; the time is an argument.
class WritePacer {
 public:
  WritePacer(RateLimit limit, Random random) : limiter_(limit), backoff_({}), random_(random) {}

  // How long the object has to wait for its turn; zero: it has it, and may write once. Whoever was
  // told to wait comes back then: the turn is kept.
  Duration turn(const api::ObjectKey& object, Instant now);

  // The object needs no write any more: its turn goes to another.
  void give_up(const api::ObjectKey& object);

  // What the hub said to a write.
  void on_written(const Status& status, Instant now);

 private:
  RateLimiter limiter_;
  client::Backoff backoff_;
  Random random_;
  Instant resumes_ = Instant::min();
  std::map<api::ObjectKey, Instant> turns_;  // Of those who wait.
};

}  // namespace berth::scores

// Exponential back-off with jitter, as a value: the time and the randomness are arguments.

#pragma once

#include <chrono>
#include <optional>

#include "base/random.h"
#include "base/time.h"

namespace berth::client {

struct BackoffPolicy {
  Duration first = std::chrono::milliseconds(800);
  double factor = 2.0;
  Duration max = std::chrono::seconds(30);
  double jitter = 1.0;  // A delay d becomes one in [d, d * (1 + jitter)).
  Duration reset_after = std::chrono::minutes(2);  // Without a delay for so long: start over.
};

class Backoff {
 public:
  explicit Backoff(BackoffPolicy policy) : policy_(policy) {}

  // How long to wait now. Grows with each call, until reset() or until the policy's quiet time.
  Duration next(Instant now, Random& random);

  void reset() { delay_ = std::nullopt; }

 private:
  BackoffPolicy policy_;
  std::optional<Duration> delay_;  // The last one, without its jitter.
  Instant last_end_{};             // When that delay was over, jitter included.
};

// `delay` lengthened by a random share of up to `jitter`.
Duration jittered(Duration delay, double jitter, Random& random);

}  // namespace berth::client

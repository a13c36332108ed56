#include "client/backoff.h"

#include <algorithm>

namespace berth::client {
namespace {

Duration scaled(Duration length, double factor, Duration max) {
  const double product = static_cast<double>(length.count()) * factor;
  if (product >= static_cast<double>(max.count())) return max;
  return Duration(static_cast<Duration::rep>(product));
}

}  // namespace

Duration jittered(Duration delay, double jitter, Random& random) {
  const double share = jitter * random.unit();
  return delay + scaled(delay, share, Duration::max() - std::max(delay, Duration::zero()));
}

Duration Backoff::next(Instant now, Random& random) {
  const bool quiet = delay_ && now - last_end_ >= policy_.reset_after;
  if (quiet) reset();
  delay_ =
      delay_ ? scaled(*delay_, policy_.factor, policy_.max) : std::min(policy_.first, policy_.max);
  const Duration delay = jittered(*delay_, policy_.jitter, random);
  last_end_ = now + delay;
  return delay;
}

}  // namespace berth::client

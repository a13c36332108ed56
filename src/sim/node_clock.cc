#include "sim/node_clock.h"

namespace berth::sim {
namespace {

constexpr std::int64_t kMillion = 1'000'000;

// length * (1 + ppm / 1e6), without overflow for lengths of centuries.
Duration scaled(Duration length, std::int32_t ppm) {
  const std::int64_t count = length.count();
  return length + Duration(count / kMillion * ppm + count % kMillion * ppm / kMillion);
}

}  // namespace

NodeClock::NodeClock(ClockOptions options)
    : wall_offset_(options.wall_offset),
      boot_offset_(options.boot_offset),
      drift_ppm_(options.drift_ppm) {}

Duration NodeClock::elapsed(Moment now) const {
  return elapsed_before_ + scaled(now - since_, drift_ppm_);
}

Time NodeClock::wall(Moment now) const { return kBeginning + elapsed(now) + wall_offset_; }

Instant NodeClock::monotonic(Moment now) const { return Instant(boot_offset_ + elapsed(now)); }

Moment NodeClock::when_reads(Instant reading) const {
  // Far enough for everybody, and no overflow on the way.
  constexpr Moment kNever = std::chrono::hours(24 * 365 * 200);
  const Duration since_boot = reading.time_since_epoch();
  if (since_boot > kNever) return kNever;
  const Duration wanted = since_boot - boot_offset_ - elapsed_before_;
  if (wanted <= Duration::zero()) return since_;
  // The inverse of scaled(), then a few steps because both round.
  const std::int64_t count = wanted.count();
  const std::int64_t divisor = kMillion + drift_ppm_;
  Moment moment =
      since_ + Duration(count / divisor * kMillion + count % divisor * kMillion / divisor);
  while (monotonic(moment) < reading) moment += Duration(1);
  return moment;
}

void NodeClock::set_drift(std::int32_t drift_ppm, Moment now) {
  elapsed_before_ = elapsed(now);
  since_ = now;
  drift_ppm_ = drift_ppm;
}

}  // namespace berth::sim

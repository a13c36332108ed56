// The clocks of one simulated machine: they are wrong in ways that can be set.

#pragma once

#include "base/time.h"
#include "sim/schedule.h"

namespace berth::sim {

struct ClockOptions {
  Duration wall_offset = Duration::zero();  // Against the world's true time.
  std::int32_t drift_ppm = 0;               // Both clocks; 1000: too fast by 86 s a day.
  Duration boot_offset = Duration::zero();  // What the monotonic clock read as the world began.
};

class NodeClock {
 public:
  explicit NodeClock(ClockOptions options);

  // The world begins at this true time.
  static constexpr Time kBeginning = Time::from_unix(1'800'000'000);

  Time wall(Moment now) const;
  Instant monotonic(Moment now) const;

  // The first moment at which the monotonic clock reads at least `reading`, if the drift stays.
  Moment when_reads(Instant reading) const;

  void step_wall(Duration step) { wall_offset_ += step; }
  void set_drift(std::int32_t drift_ppm, Moment now);  // The readings at `now` stay.

 private:
  Duration elapsed(Moment now) const;  // As this machine counts.

  Duration wall_offset_;
  Duration boot_offset_;
  std::int32_t drift_ppm_;
  // Since when the drift holds, in the world's count and in the machine's.
  Moment since_ = Moment::zero();
  Duration elapsed_before_ = Duration::zero();
};

}  // namespace berth::sim

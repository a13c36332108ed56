// What time it is, on the calendar and on a clock that only moves forward.

#pragma once

#include "base/time.h"

namespace berth::env {

// Thread-safe. Only shells ask it; pure code gets the time as an argument.
class Clock {
 public:
  virtual ~Clock() = default;

  // The calendar. It may step in both directions: write it down, never measure with it.
  virtual Time now() const = 0;

  // Counts on while the machine sleeps, never steps, and means nothing on another machine. Leases,
  // time-outs and back-off are measured with it.
  virtual Instant monotonic() const = 0;
};

}  // namespace berth::env

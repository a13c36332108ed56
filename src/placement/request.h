// What a filter or prioritizer may look at. Everything is borrowed for the time of the call.

#pragma once

#include "base/time.h"
#include "placement/compiling/compiled_placement.h"
#include "placement/deciding/schedule_run.h"
#include "placement/fleet/decision_table.h"
#include "placement/fleet/fleet_view.h"
#include "placement/options.h"

namespace berth::placement {

struct Request {
  const CompiledPlacement& placement;
  const FleetView& fleet;
  const PastDecisions& past;  // Of this placement.
  const Options& options;
  Time now;
  ScheduleRun* run = nullptr;  // Null: all at once.

  bool is_incumbent(ClusterIndex cluster) const { return past.clusters.test(cluster); }

  // The reference still counts a score at the very instant of its validUntil. Where a timer wakes
  // the placement then, the score must be over by then.
  bool is_expired(const ScoreReport& report) const {
    if (!report.valid_until) return false;
    return options.wake_at_every_expiry ? now >= *report.valid_until : now > *report.valid_until;
  }
};

// The earlier of two ends, where none is never.
inline std::optional<Time> earlier(std::optional<Time> a, std::optional<Time> b) {
  if (!a || !b) return a ? a : b;
  return *a < *b ? a : b;
}

}  // namespace berth::placement

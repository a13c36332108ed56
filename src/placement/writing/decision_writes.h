// The part of a plan that concerns PlacementDecisions: which to create, patch and delete.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/time.h"
#include "placement/compiling/compiled_placement.h"
#include "placement/deciding/schedule.h"
#include "placement/fleet/fleet_view.h"
#include "placement/options.h"
#include "placement/writing/groups.h"
#include "placement/writing/plan.h"

namespace berth::placement {

struct DecisionWish {
  const CompiledPlacement& placement;
  const FleetView& fleet;
  const Schedule& schedule;
  const ScheduleOutcome& outcome;
  std::span<const DecisionSlice> slices;
  const Options& options;
  Time now;
};

struct DecisionWrites {
  std::vector<PlannedWrite> writes = {};
  bool runs_again = false;                          // Something is left for the next run.
  std::optional<Time> score_update = std::nullopt;  // When scores are written now.
  std::optional<Time> held_until = std::nullopt;    // When new scores may be written again.
};

// What a misconfigured placement keeps of its decisions.
struct KeptDecisions {
  std::vector<PlannedWrite> writes = {};            // Take out what is not allowed any more.
  std::map<std::string, std::int32_t> counts = {};  // Clusters that stay, by the object's name.
};

// Clusters that the schedule does not allow go; order, groups and objects stay as they are.
KeptDecisions keep_decisions(const CompiledPlacement& placement, const FleetView& fleet,
                             const Schedule& schedule);

// Nothing where nothing changed. Objects with the placement's label that are not wished for are
// deleted, whoever made them.
DecisionWrites write_decisions(const DecisionWish& wish);

}  // namespace berth::placement

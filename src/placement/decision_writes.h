// The part of a plan that concerns PlacementDecisions: which to create, patch and delete.

#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/time.h"
#include "placement/compiled_placement.h"
#include "placement/fleet_view.h"
#include "placement/groups.h"
#include "placement/options.h"
#include "placement/plan.h"
#include "placement/schedule.h"

namespace berth::placement {

struct DecisionWish {
  const CompiledPlacement& placement;
  const FleetView& fleet;
  const Schedule& schedule;
  const Outcome& outcome;
  std::span<const DecisionSlice> slices;
  const Options& options;
  Time now;
};

struct DecisionWrites {
  std::vector<Write> writes = {};
  bool runs_again = false;                          // Something is left for the next run.
  std::optional<Time> score_update = std::nullopt;  // When scores are written now.
  std::optional<Time> held_until = std::nullopt;    // When new scores may be written again.
};

// Nothing where nothing changed. Objects with the placement's label that are not wished for are
// deleted, whoever made them.
DecisionWrites write_decisions(const DecisionWish& wish);

}  // namespace berth::placement

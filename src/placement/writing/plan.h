// plan_placement(): from what should be and what is to the writes that are missing. The controller
// only sends them, in their order, and the notices after them.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "json/value.h"
#include "placement/compiling/compiled_placement.h"
#include "placement/deciding/schedule.h"
#include "placement/deciding/schedule_run.h"
#include "placement/fleet/fleet_view.h"
#include "placement/options.h"
#include "placement/writing/notice.h"

namespace berth::placement {

struct PlannedWrite {
  enum class Kind : std::uint8_t {
    CreateDecision,
    PatchDecisionStatus,  // Merge patches; all carry metadata.uid and resourceVersion.
    PatchDecisionLabels,
    DeleteDecision,
    PatchPlacementStatus,
  };

  Kind kind = Kind::CreateDecision;
  std::string name = {};  // Of the object.
  json::Value body = {};  // The object, the patch, or for a delete what it holds for.

  // The object was written just before: uid and resourceVersion in the patch come from the answer.
  bool follows_previous = false;
  std::vector<Notice> notices = {};  // To be sent afterwards.
};

struct Plan {
  bool is_paused = false;                 // The run needs another slice; there is no plan yet.
  bool is_ignored = false;                // Being deleted or not ours: everything stays as it is.
  std::vector<PlannedWrite> writes = {};  // Decisions first, the Placement's own status last.

  // Told in conditions and events. Whatever it is, it holds until something changes or expires.
  ScheduleOutcome outcome = {};
  std::optional<Time> valid_until = std::nullopt;

  // Something was left for the next run on purpose. Otherwise a plan that was carried out is the
  // last one until something else changes, even if another one would differ.
  bool runs_again = false;
};

// The placement's status is that of `placement`; its decisions are those in the fleet view. Fails
// when the fleet cannot be read: then nothing is to be written.
Result<Plan> plan_placement(const CompiledPlacement& placement, const FleetView& fleet, Time now,
                            const Options& options);

// The same as a slice of a run.
Result<Plan> plan_placement(const CompiledPlacement& placement, const FleetView& fleet,
                            ScheduleRun& run, const Options& options);

}  // namespace berth::placement

// schedule(): which clusters a Placement gets, why, and until when the answer holds. Pure: the same
// arguments give the same answer, so explaining, dry-running and simulating are this same call.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "placement/compiling/compiled_placement.h"
#include "placement/deciding/schedule_run.h"
#include "placement/deciding/selection.h"
#include "placement/filter.h"
#include "placement/fleet/fleet_view.h"
#include "placement/options.h"
#include "placement/prioritizer.h"

namespace berth::placement {

struct ScheduleOutcome {
  enum class Code : std::uint8_t { Success, Warning, Error, Misconfigured };

  Code code = Code::Success;
  std::string plugin = {};
  std::string message = {};

  bool operator==(const ScheduleOutcome&) const = default;
};

// The clusters that one filter let pass.
struct FilterRecord {
  std::string name = {};
  std::vector<ClusterIndex> passed = {};
};

struct PrioritizerRecord {
  std::string name = {};
  std::int32_t weight = 0;
  std::vector<Score> scores = {};  // scores[i] belongs to feasible[i]; silence already counted.
};

// Holds indices, not texts: a thousand reasons cost nothing until somebody asks
// (explaining/explain.h). Valid while the fleet view is not changed.
struct Schedule {
  // The fleet cannot be read (a bound set has a broken selector): write nothing, try again.
  std::optional<Error> failure = std::nullopt;

  // The run needs another slice; nothing else here means anything.
  bool is_paused = false;

  bool has_bindings = false;                    // Of existing sets.
  std::vector<std::string> eligible_sets = {};  // Sorted.
  std::vector<ClusterIndex> available = {};     // In those sets and not being deleted.

  ScheduleOutcome outcome = {};
  std::vector<FilterRecord> filters = {};   // As far as they are configured well.
  std::vector<ClusterIndex> allowed = {};   // By all filters, as far as they can be read.
  std::vector<ClusterIndex> excluded = {};  // For silence, where the policy says so.
  std::vector<PrioritizerRecord> prioritizers = {};
  std::vector<Ranked> feasible = {};  // What was scored, in no particular order.

  std::vector<Ranked> chosen = {};  // Best first.
  std::int64_t unscheduled = 0;     // How many fewer than asked for.
  std::vector<HeldMove> held = {};
  std::optional<Time> valid_until = std::nullopt;
  std::vector<std::string> remarks = {};  // For the conditions' messages.
};

// What a score counts as under the placement's policy for silence.
std::int32_t points_of(const Request& request, const Score& score, std::int32_t weight);

// Of all filters together.
Reluctance reluctance_of(const Request& request, ClusterIndex cluster);

Schedule schedule(const CompiledPlacement& placement, const FleetView& fleet, Time now,
                  const Options& options);

// The same as a slice of a run.
Schedule schedule(const CompiledPlacement& placement, const FleetView& fleet, ScheduleRun& run,
                  const Options& options);

}  // namespace berth::placement

// Why a cluster was chosen, why not, and what would change it: made on demand from the compact
// answer of schedule(). How it is shown is in explain_text.h.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "placement/compiling/compiled_placement.h"
#include "placement/deciding/schedule.h"
#include "placement/filter.h"
#include "placement/fleet/fleet_view.h"
#include "placement/options.h"

namespace berth::placement {

struct ScoreLine {
  std::string prioritizer = {};
  std::int32_t points = 0;
  std::int32_t weight = 0;
  std::string note = {};
};

struct ClusterVerdict {
  enum class Kind : std::uint8_t {
    Chosen,
    Outranked,    // Feasible, but others are better or the spread policy forbids it.
    Rejected,     // By a filter.
    Unavailable,  // In no eligible set, or being deleted.
    Unknown,      // No such cluster.
  };

  std::string cluster = {};
  Kind kind = Kind::Unknown;
  std::string rejected_by = {};            // Name of the filter.
  std::vector<Objection> objections = {};  // Why rejected or unavailable.
  std::vector<ScoreLine> scores = {};
  std::optional<std::int64_t> total = std::nullopt;
  std::optional<std::size_t> rank = std::nullopt;  // From 1, among the feasible.
  bool is_incumbent = false;
  bool is_avoided = false;  // A PreferNoSelect taint.
  std::string note = {};    // A move that is held: "c3 leads by 4, margin 10".

  // For a cluster that is not chosen: the smallest change that would choose it, as far as one is
  // known; all of them together are needed.
  std::vector<std::string> remedies = {};
};

struct Explanation {
  api::ObjectKey placement = {};
  Schedule schedule = {};
  std::vector<ClusterVerdict> clusters = {};  // Chosen first by rank, then by name.
};

std::string_view kind_name(ClusterVerdict::Kind kind);

// Every available cluster.
Explanation explain(const CompiledPlacement& placement, const FleetView& fleet, Time now,
                    const Options& options);

// One cluster, available or not.
ClusterVerdict explain_cluster(const CompiledPlacement& placement, const FleetView& fleet, Time now,
                               const Options& options, std::string_view cluster);

}  // namespace berth::placement

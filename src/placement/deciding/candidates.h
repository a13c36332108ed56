// The clusters a Placement may choose from: those in the cluster sets bound to its namespace.

#pragma once

#include <string>
#include <vector>

#include "api/kinds/placement.h"
#include "base/result.h"
#include "placement/fleet/fleet_view.h"

namespace berth::placement {

struct Candidates {
  bool has_bindings = false;                    // Some binding names an existing set.
  std::vector<std::string> eligible_sets = {};  // Bound, existing and wanted; sorted.
  std::vector<ClusterIndex> available = {};     // Their members that are not being deleted.
};

// Fails when an eligible set's members cannot be told.
Result<Candidates> find_candidates(const api::Placement& placement, const FleetView& fleet);

}  // namespace berth::placement

#include "placement/deciding/candidates.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/strings.h"

namespace berth::placement {

Result<Candidates> find_candidates(const api::Placement& placement, const FleetView& fleet) {
  Candidates candidates;
  ClusterBits members;
  for (const std::string& name : fleet.sets().bound_in(placement.facts.object_namespace)) {
    const ClusterSet* set = fleet.sets().find(name);
    if (!set) continue;
    candidates.has_bindings = true;
    const auto& wanted = placement.cluster_sets;
    if (!wanted.empty() && std::ranges::find(wanted, name) == wanted.end()) continue;
    if (set->problem()) {
      return failure(set->problem()->code,
                     fmt::format("failed to get clusters from ClusterSet {}: {}", quote(name),
                                 set->problem()->message));
    }
    candidates.eligible_sets.push_back(name);
    members |= set->members();
  }
  members -= fleet.clusters().deleting();
  candidates.available = members.indices();
  return candidates;
}

}  // namespace berth::placement

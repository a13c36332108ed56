// spec.spreadPolicy: choosing clusters so that they are spread over zones, regions or whatever a
// label or claim tells apart.
//
// The skew of a topology is how many more chosen clusters it has than the one with the fewest.
// Clusters are taken one at a time, the best first; one that would raise the skew of a
// DoNotSchedule constraint beyond its maximum is passed over, one that would do so for a
// ScheduleAnyway constraint is taken only when there is no other. Constraints count in their order.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "api/kinds/placement.h"
#include "placement/fleet/fleet_view.h"

namespace berth::placement {

// Indices into `ordered` (best first) of the chosen, in the order in which they were taken; at most
// `count_max`. A cluster without a DoNotSchedule constraint's key cannot be taken at all; for
// ScheduleAnyway such clusters form a topology of their own.
std::vector<std::size_t> spread(std::span<const api::SpreadConstraint> constraints,
                                const FleetView& fleet, std::span<const ClusterIndex> ordered,
                                std::size_t count_max);

}  // namespace berth::placement

#include "nodes/scorers/reservation_bonus.h"

namespace berth::nodes {

bool ReservationBonus::score(const Cycle& cycle, std::span<const NodeSlot> nodes,
                             std::span<std::int64_t> points) const {
  if (cycle.snapshot.all_holds().empty()) return false;
  const Claimant claimant = cycle.claimant();
  bool any = false;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    points[i] = kPointsMax / 2;
    if (!cycle.snapshot.has_holds(nodes[i])) continue;
    const StandingHold* claim = cycle.snapshot.claim_on(nodes[i], claimant);
    if (!claim) continue;
    any = true;
    points[i] = claim->hold->policy == HoldPolicy::Prefer ? kPointsMax : 0;
  }
  if (!any) {
    for (std::int64_t& untouched : points) untouched = 0;
  }
  return any;
}

}  // namespace berth::nodes

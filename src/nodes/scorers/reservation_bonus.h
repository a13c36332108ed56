// Ranks the node first, or last, where room is held for the pod.

#pragma once

#include "nodes/scorer.h"

namespace berth::nodes {

// With HoldPolicy::Prefer the held node gets all points, with FallbackOnly none, and the others
// half: a pod may have holds of both kinds.
class ReservationBonus final : public Scorer {
 public:
  std::string_view name() const override { return "PodReservation"; }
  bool score(const Cycle& cycle, std::span<const NodeSlot> nodes,
             std::span<std::int64_t> points) const override;
};

}  // namespace berth::nodes

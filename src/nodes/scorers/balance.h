// Ranks nodes by how evenly their cpu and memory would be used with the pod on them.

#pragma once

#include "nodes/scorer.h"

namespace berth::nodes {

// kube-scheduler's formula: 100 less the standard deviation of the shares in use. Pods that ask for
// neither are not asked about.
class Balance final : public Scorer {
 public:
  std::string_view name() const override { return "NodeResourcesBalancedAllocation"; }
  bool score(const Cycle& cycle, std::span<const NodeSlot> nodes,
             std::span<std::int64_t> points) const override;
};

}  // namespace berth::nodes

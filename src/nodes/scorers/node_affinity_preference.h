// Ranks nodes by the pod's preferred node affinity.

#pragma once

#include "nodes/scorer.h"

namespace berth::nodes {

class NodeAffinityPreference final : public Scorer {
 public:
  std::string_view name() const override { return "NodeAffinity"; }
  bool score(const Cycle& cycle, std::span<const NodeSlot> nodes,
             std::span<std::int64_t> points) const override;
};

}  // namespace berth::nodes

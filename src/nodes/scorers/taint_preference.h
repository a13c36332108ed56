// Ranks nodes by how few PreferNoSchedule taints they have that the pod does not tolerate.

#pragma once

#include "nodes/scorer.h"

namespace berth::nodes {

class TaintPreference final : public Scorer {
 public:
  std::string_view name() const override { return "TaintToleration"; }
  bool score(const Cycle& cycle, std::span<const NodeSlot> nodes,
             std::span<std::int64_t> points) const override;
};

}  // namespace berth::nodes

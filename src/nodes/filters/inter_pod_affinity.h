// Refuses nodes where a pod runs nearby that will not have this one: required anti-affinity of pods
// that are bound already. What the pod itself asks of its neighbours is refused earlier, aloud.

#pragma once

#include "nodes/filter.h"

namespace berth::nodes {

class InterPodAffinity final : public Filter {
 public:
  std::string_view name() const override { return "InterPodAffinity"; }
  Reads reads() const override { return Reads::Cluster; }
  std::unique_ptr<NodeTest> prepare(const Cycle& cycle) const override;
};

}  // namespace berth::nodes

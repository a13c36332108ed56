// Refuses nodes whose free room is held for somebody else: holds that the pod does not claim and
// whose priority it does not exceed are taken as used.

#pragma once

#include "nodes/filter.h"

namespace berth::nodes {

class PodReservation final : public Filter {
 public:
  std::string_view name() const override { return "PodReservation"; }
  Reads reads() const override { return Reads::NodeContent; }
  std::unique_ptr<NodeTest> prepare(const Cycle& cycle) const override;
};

// What stands against a pod on one node.
struct HoldsAgainst {
  std::vector<const StandingHold*> holds = {};  // All that count.
  Needs needs = {};                             // Their sum, where the pod needs something.
  std::vector<HostPort> ports = {};
};

HoldsAgainst holds_against(const Cycle& cycle, NodeSlot node);

}  // namespace berth::nodes

// Refuses cordoned nodes, unless the pod tolerates that.

#pragma once

#include "nodes/filter.h"

namespace berth::nodes {

class NodeUnschedulable final : public Filter {
 public:
  std::string_view name() const override { return "NodeUnschedulable"; }
  Reads reads() const override { return Reads::NodeObject; }
  std::unique_ptr<NodeTest> prepare(const Cycle& cycle) const override;
};

}  // namespace berth::nodes

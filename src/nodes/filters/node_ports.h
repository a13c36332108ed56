// Refuses nodes where a port that the pod wants of its node is taken.

#pragma once

#include "nodes/filter.h"

namespace berth::nodes {

class NodePorts final : public Filter {
 public:
  std::string_view name() const override { return "NodePorts"; }
  Reads reads() const override { return Reads::NodeContent; }
  std::unique_ptr<NodeTest> prepare(const Cycle& cycle) const override;
};

}  // namespace berth::nodes

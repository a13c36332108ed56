// Keeps the one node that the pod names.

#pragma once

#include "nodes/filter.h"

namespace berth::nodes {

class NodeName final : public Filter {
 public:
  std::string_view name() const override { return "NodeName"; }
  Reads reads() const override { return Reads::NodeObject; }
  std::unique_ptr<NodeTest> prepare(const Cycle& cycle) const override;
};

}  // namespace berth::nodes

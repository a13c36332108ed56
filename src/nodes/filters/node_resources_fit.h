// Refuses nodes that have less free than the pod asks for.

#pragma once

#include "nodes/filter.h"

namespace berth::nodes {

class NodeResourcesFit final : public Filter {
 public:
  std::string_view name() const override { return "NodeResourcesFit"; }
  Reads reads() const override { return Reads::NodeContent; }
  std::unique_ptr<NodeTest> prepare(const Cycle& cycle) const override;
};

}  // namespace berth::nodes

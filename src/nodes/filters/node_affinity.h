// Keeps the nodes that the pod's nodeSelector and required node affinity name.

#pragma once

#include "nodes/filter.h"

namespace berth::nodes {

class NodeAffinity final : public Filter {
 public:
  std::string_view name() const override { return "NodeAffinity"; }
  Reads reads() const override { return Reads::NodeObject; }
  std::unique_ptr<NodeTest> prepare(const Cycle& cycle) const override;
};

}  // namespace berth::nodes

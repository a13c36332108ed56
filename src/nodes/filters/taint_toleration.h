// Refuses nodes with a NoSchedule or NoExecute taint that the pod does not tolerate.

#pragma once

#include "nodes/filter.h"

namespace berth::nodes {

class TaintToleration final : public Filter {
 public:
  std::string_view name() const override { return "TaintToleration"; }
  Reads reads() const override { return Reads::NodeObject; }
  std::unique_ptr<NodeTest> prepare(const Cycle& cycle) const override;
};

}  // namespace berth::nodes

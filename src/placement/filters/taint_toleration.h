// Keeps the clusters whose taints the placement tolerates, and avoids those with a PreferNoSelect
// taint that it does not.

#pragma once

#include <memory>

#include "placement/filter.h"

namespace berth::placement {

// PreferNoSelect keeps no cluster out, NoSelectIfNew none that is in the decisions already. Taints
// wake every placement, so nothing is said to be read.
class TaintTolerationFilter final : public Filter {
 public:
  std::string_view name() const override { return "TaintToleration"; }
  Reads reads(const CompiledPlacement&) const override { return {}; }
  Filtered filter(const Request& request, std::span<const ClusterIndex> candidates) const override;
  Reluctance reluctance(const Request& request, ClusterIndex cluster) const override;
  std::vector<Objection> objections(const Request& request, ClusterIndex cluster) const override;
  std::shared_ptr<const CompiledPlacement> remedied(const Request& request,
                                                    ClusterIndex cluster) const override;
};

}  // namespace berth::placement

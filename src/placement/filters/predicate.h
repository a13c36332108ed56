// Keeps the clusters that one of the placement's predicates matches: labels, claims, expressions.

#pragma once

#include "placement/filter.h"

namespace berth::placement {

// Without predicates or without candidates nothing is looked at, and so nothing is found wrong.
class PredicateFilter final : public Filter {
 public:
  std::string_view name() const override { return "Predicate"; }
  Reads reads(const CompiledPlacement& placement) const override;
  Filtered filter(const Request& request, std::span<const ClusterIndex> candidates) const override;
  std::vector<Objection> objections(const Request& request, ClusterIndex cluster) const override;
};

}  // namespace berth::placement

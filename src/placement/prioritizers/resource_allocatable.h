// Prefers clusters with much allocatable CPU or memory, compared with the other candidates.

#pragma once

#include "placement/fleet/cluster_table.h"
#include "placement/prioritizer.h"

namespace berth::placement {

// From -100 for the least to 100 for the most; 100 for all when they are equal. A cluster without
// data has no score, which counts as 0, the middle.
class ResourceAllocatable final : public Prioritizer {
 public:
  explicit ResourceAllocatable(Resource resource) : resource_(resource) {}

  std::string_view name() const override;
  Reads reads() const override { return {.allocatable = {resource_}}; }
  Ranking rank(const Request& request, std::span<const ClusterIndex> candidates) const override;

 private:
  Resource resource_;
};

}  // namespace berth::placement

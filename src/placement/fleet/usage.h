// Usage: how often each cluster is named in all PlacementDecisions of the hub. Kept as a running
// table, because counting anew for every placement would cost as much as all placements together.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "placement/fleet/cluster_bits.h"

namespace berth::placement {

class Usage {
 public:
  void add(ClusterIndex cluster);
  void remove(ClusterIndex cluster);  // Must have been added.

  std::uint32_t count(ClusterIndex cluster) const {
    return cluster < counts_.size() ? counts_[cluster] : 0;
  }

  // The largest count of any cluster if the decisions in `own` (a cluster for each time it is
  // named) had not been added. Costs what `own` costs, not what the table holds.
  std::uint32_t max_without(std::span<const ClusterIndex> own) const;

 private:
  void move(ClusterIndex cluster, std::uint32_t from, std::uint32_t to);

  std::vector<std::uint32_t> counts_;
  std::map<std::uint32_t, std::size_t> levels_;  // How many clusters have this count; none for 0.
};

}  // namespace berth::placement

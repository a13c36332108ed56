#include "placement/fleet/usage.h"

#include <algorithm>

#include "base/check.h"

namespace berth::placement {

void Usage::add(ClusterIndex cluster) {
  if (cluster >= counts_.size()) counts_.resize(cluster + 1);
  move(cluster, counts_[cluster], counts_[cluster] + 1);
}

void Usage::remove(ClusterIndex cluster) {
  CHECK(count(cluster) > 0);
  move(cluster, counts_[cluster], counts_[cluster] - 1);
}

void Usage::move(ClusterIndex cluster, std::uint32_t from, std::uint32_t to) {
  counts_[cluster] = to;
  if (from > 0 && --levels_[from] == 0) levels_.erase(from);
  if (to > 0) ++levels_[to];
}

std::uint32_t Usage::max_without(std::span<const ClusterIndex> own) const {
  std::map<ClusterIndex, std::uint32_t> own_counts;
  for (const ClusterIndex cluster : own) ++own_counts[cluster];

  std::uint32_t max = 0;
  std::map<std::uint32_t, std::size_t> lowered;  // How many clusters leave each level.
  for (const auto& [cluster, times] : own_counts) {
    ++lowered[count(cluster)];
    max = std::max(max, count(cluster) - times);
  }
  // From the top: the first level that keeps a cluster counts. Each level skipped costs an own one.
  for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
    const auto leaving = lowered.find(level->first);
    if (leaving == lowered.end() || leaving->second < level->second) {
      return std::max(max, level->first);
    }
  }
  return max;
}

}  // namespace berth::placement

#include "placement/prioritizers/resource_allocatable.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "placement/request.h"

namespace berth::placement {
namespace {

std::int32_t points_for(double amount, double min, double max) {
  if (max == min) return kScoreMax;
  const double points = ((amount - min) / (max - min) - 0.5) * 2.0 * 100.0;
  // Not a number when an absurd quantity is infinite.
  return std::isfinite(points) ? static_cast<std::int32_t>(points) : kScoreNeutral;
}

}  // namespace

std::string_view ResourceAllocatable::name() const {
  return resource_ == Resource::Cpu ? "ResourceAllocatableCPU" : "ResourceAllocatableMemory";
}

Ranking ResourceAllocatable::rank(const Request& request,
                                  std::span<const ClusterIndex> candidates) const {
  const ClusterTable& clusters = request.fleet.clusters();
  double min = std::numeric_limits<double>::infinity();
  double max = -min;
  for (const ClusterIndex cluster : candidates) {
    const double amount = clusters.allocatable(resource_, cluster);
    if (std::isnan(amount)) continue;
    min = std::min(min, amount);
    max = std::max(max, amount);
  }
  Ranking ranking = unranked(candidates.size());
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const double amount = clusters.allocatable(resource_, candidates[i]);
    if (std::isnan(amount)) {
      ranking.scores[i].note = Note::NoData;
    } else {
      ranking.scores[i].points = points_for(amount, min, max);
    }
  }
  return ranking;
}

}  // namespace berth::placement

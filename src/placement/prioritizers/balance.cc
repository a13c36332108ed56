#include "placement/prioritizers/balance.h"

#include <map>

#include "placement/request.h"

namespace berth::placement {
namespace {

std::int32_t points_for(std::uint32_t count, std::uint32_t max) {
  if (count == 0) return kScoreMax;
  const double usage = static_cast<double>(count) / static_cast<double>(max);
  return 2 * static_cast<std::int32_t>(100.0 * (0.5 - usage));
}

}  // namespace

Ranking Balance::rank(const Request& request, std::span<const ClusterIndex> candidates) const {
  const Usage& usage = request.fleet.decisions().usage();
  const std::uint32_t max = usage.max_without(request.past.named);
  std::map<ClusterIndex, std::uint32_t> own;
  for (const ClusterIndex cluster : request.past.named) ++own[cluster];

  Ranking ranking = unranked(candidates.size());
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    std::uint32_t count = usage.count(candidates[i]);
    if (request.is_incumbent(candidates[i])) count -= own[candidates[i]];
    ranking.scores[i].points = points_for(count, max);
  }
  return ranking;
}

}  // namespace berth::placement

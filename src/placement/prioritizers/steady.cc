#include "placement/prioritizers/steady.h"

#include "placement/request.h"

namespace berth::placement {

Ranking Steady::rank(const Request& request, std::span<const ClusterIndex> candidates) const {
  Ranking ranking;
  ranking.scores.reserve(candidates.size());
  for (const ClusterIndex cluster : candidates) {
    ranking.scores.push_back({.points = request.is_incumbent(cluster) ? kScoreMax : kScoreNeutral});
  }
  return ranking;
}

}  // namespace berth::placement

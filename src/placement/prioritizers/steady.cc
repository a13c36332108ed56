#include "placement/prioritizers/steady.h"

#include "placement/request.h"

namespace berth::placement {

Ranking Steady::rank(const Request& request, std::span<const ClusterIndex> candidates) const {
  Ranking ranking = unranked(candidates.size());
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (request.is_incumbent(candidates[i])) ranking.scores[i].points = kScoreMax;
  }
  return ranking;
}

std::optional<std::string> Steady::remark(std::int32_t weight) const {
  if (weight >= 0) return std::nullopt;
  return "a negative weight for Steady prefers other clusters whenever the placement is scheduled";
}

}  // namespace berth::placement

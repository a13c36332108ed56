#include "placement/prioritizers/agent_score.h"

#include <algorithm>
#include <utility>

#include "placement/request.h"

namespace berth::placement {

AgentScore::AgentScore(api::AddOnScore source)
    : source_(std::move(source)), name_("AddOn/" + source_.resource + "/" + source_.score) {}

Ranking AgentScore::rank(const Request& request, std::span<const ClusterIndex> candidates) const {
  const ClusterTable& clusters = request.fleet.clusters();
  const Symbol resource = request.fleet.symbols().find(source_.resource);
  const Symbol name = request.fleet.symbols().find(source_.score);
  Ranking ranking = unranked(candidates.size());
  std::vector<ClusterIndex> expired;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const ScoreReport* report =
        resource == kNoSymbol ? nullptr : clusters[candidates[i]].find_report(resource);
    Score& score = ranking.scores[i];
    if (!report) {
      score.note = Note::NoReport;
      continue;
    }
    if (request.is_expired(*report)) {
      score.note = Note::IsExpired;
      expired.push_back(candidates[i]);
      continue;
    }
    if (const std::int32_t* value = report->find(name)) {
      score.points = *value;
    } else {
      score.note = Note::NoScore;
    }
    if (report->valid_until && request.options.wake_at_every_expiry) {
      ranking.valid_until = earlier(ranking.valid_until, report->valid_until);
    }
  }
  if (!expired.empty()) ranking.warning = expired_warning(request, expired);
  return ranking;
}

std::string AgentScore::expired_warning(const Request& request,
                                        std::span<const ClusterIndex> expired) const {
  std::vector<ClusterIndex> by_name(expired.begin(), expired.end());
  std::ranges::sort(by_name, {}, [&request](ClusterIndex cluster) {
    return request.fleet.clusters().position(cluster);
  });
  std::string warning = "AddOnPlacementScores";
  for (const ClusterIndex cluster : by_name) {
    warning += " " + request.fleet.name(cluster) + "/" + source_.resource;
  }
  return warning + " expired";
}

}  // namespace berth::placement

#include "placement/prioritizers/agent_score.h"

#include <algorithm>
#include <utility>

#include "placement/request.h"

namespace berth::placement {
namespace {

Score score_of(const Request& request, const ScoreReport* report, Symbol name) {
  if (!report) return {.note = Note::NoReport};
  if (request.is_expired(*report)) return {.note = Note::IsExpired};
  const std::int32_t* value = report->find(name);
  return value ? Score{.points = *value} : Score{.note = Note::NoScore};
}

}  // namespace

AgentScore::AgentScore(api::AddOnScore source)
    : source_(std::move(source)), name_("AddOn/" + source_.resource + "/" + source_.score) {}

Ranking AgentScore::rank(const Request& request, std::span<const ClusterIndex> candidates) const {
  const ClusterTable& clusters = request.fleet.clusters();
  const Symbol resource = request.fleet.symbols().find(source_.resource);
  const Symbol name = request.fleet.symbols().find(source_.score);
  Ranking ranking;
  ranking.scores.reserve(candidates.size());
  std::vector<ClusterIndex> expired;
  for (const ClusterIndex cluster : candidates) {
    const ScoreReport* report =
        resource == kNoSymbol ? nullptr : clusters[cluster].find_report(resource);
    ranking.scores.push_back(score_of(request, report, name));
    if (ranking.scores.back().note == Note::IsExpired) {
      expired.push_back(cluster);
    } else if (report && request.options.wake_at_every_expiry) {
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

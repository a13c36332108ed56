// Tested by explain_test.cc.
#include "placement/remedy.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "placement/filters/taint_toleration.h"

namespace berth::placement {
namespace {

// The clusters as they would be scored if this one were feasible, too.
std::vector<Ranked> rank_with(const Request& request, const Schedule& schedule,
                              ClusterIndex cluster) {
  std::vector<ClusterIndex> candidates;
  for (const Ranked& ranked : schedule.feasible) candidates.push_back(ranked.cluster);
  if (std::ranges::find(candidates, cluster) == candidates.end()) candidates.push_back(cluster);
  std::vector<Ranked> ranked;
  for (const ClusterIndex candidate : candidates) {
    ranked.push_back({.cluster = candidate,
                      .is_avoided = request.options.prefer_no_select &&
                                    !tolerate_preferences(request, candidate).tolerated});
  }
  for (const auto& [prioritizer, weight] : request.placement.prioritizers) {
    const Ranking ranking = prioritizer->rank(request, candidates);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      ranked[i].total += std::int64_t{points_of(request, ranking.scores[i], weight)} * weight;
    }
  }
  return ranked;
}

bool chooses(const Request& request, const std::vector<Ranked>& ranked, ClusterIndex cluster) {
  const Selection selection = select(request, ranked);
  return std::ranges::any_of(selection.chosen,
                             [cluster](const Ranked& chosen) { return chosen.cluster == cluster; });
}

// The fewest points more that let it be chosen, by bisection: more points never hurt.
std::optional<std::int64_t> points_short(const Request& request, std::vector<Ranked> ranked,
                                         ClusterIndex cluster) {
  const auto own = std::ranges::find(ranked, cluster, &Ranked::cluster);
  const std::int64_t total = own->total;
  const auto [least, most] = std::ranges::minmax(ranked, {}, &Ranked::total);
  std::int64_t low = 0;
  std::int64_t high = most.total - least.total + request.placement.min_gain + 1;
  own->total = total + high;
  if (!chooses(request, ranked, cluster)) return std::nullopt;
  while (low + 1 < high) {
    const std::int64_t middle = low + (high - low) / 2;
    own->total = total + middle;
    (chooses(request, ranked, cluster) ? high : low) = middle;
  }
  return high;
}

}  // namespace

std::vector<std::string> rank_remedies(const Request& request, const Schedule& schedule,
                                       ClusterIndex cluster) {
  std::vector<Ranked> ranked = rank_with(request, schedule, cluster);
  if (chooses(request, ranked, cluster)) return {};
  if (request.placement.placement.number_of_clusters.value_or(1) <= 0) {
    return {"numberOfClusters 1 or more"};
  }
  if (const auto points = points_short(request, ranked, cluster)) {
    return {fmt::format("{} more points", *points)};
  }
  const auto own = std::ranges::find(ranked, cluster, &Ranked::cluster);
  if (own->is_avoided) {
    own->is_avoided = false;
    std::vector<std::string> remedies = {"no PreferNoSelect taint"};
    if (chooses(request, ranked, cluster)) return remedies;
    if (const auto points = points_short(request, ranked, cluster)) {
      remedies.push_back(fmt::format("{} more points", *points));
      return remedies;
    }
  }
  return {"another topology, or a spread policy that allows more clusters in this one"};
}

}  // namespace berth::placement

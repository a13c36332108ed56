#include "placement/explaining/remedy.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include <fmt/format.h>

namespace berth::placement {
namespace {

constexpr std::string_view kOtherTopology =
    "another topology, or a spread policy that allows more clusters in this one";

// The clusters as they would be scored if this one were feasible, too.
std::vector<Ranked> rank_with(const Request& request, const Schedule& schedule,
                              ClusterIndex cluster) {
  const auto& feasible = schedule.feasible;
  if (std::ranges::find(feasible, cluster, &Ranked::cluster) != feasible.end()) return feasible;
  std::vector<ClusterIndex> candidates;
  for (const Ranked& ranked : feasible) candidates.push_back(ranked.cluster);
  candidates.push_back(cluster);
  std::vector<Ranked> ranked;
  for (const ClusterIndex candidate : candidates) {
    ranked.push_back(
        {.cluster = candidate, .is_avoided = reluctance_of(request, candidate).is_avoided});
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

// The fewest points more with which it comes before the last of the chosen.
std::optional<std::int64_t> points_behind_last(const Request& request, const Selection& selection,
                                               const Ranked& own) {
  if (selection.chosen.empty()) return std::nullopt;
  const Ranked& last = selection.chosen.back();
  if (own.is_avoided && !last.is_avoided) return std::nullopt;
  const std::int64_t gain = request.placement.min_gain;
  const auto counts = [&](const Ranked& ranked) {
    return ranked.total + (request.is_incumbent(ranked.cluster) ? gain : 0);
  };
  const bool own_stays = gain > 0 && request.is_incumbent(own.cluster);
  const bool last_stays = gain > 0 && request.is_incumbent(last.cluster);
  const ClusterTable& clusters = request.fleet.clusters();
  const bool wins_tie = own_stays != last_stays
                            ? own_stays
                            : clusters.position(own.cluster) < clusters.position(last.cluster);
  return counts(last) - counts(own) + (wins_tie ? 0 : 1);
}

// The same where a spread policy decides, too: by bisection, since more points never hurt.
std::optional<std::int64_t> points_by_trial(const Request& request, std::vector<Ranked> ranked,
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

std::optional<std::int64_t> points_short(const Request& request, const std::vector<Ranked>& ranked,
                                         ClusterIndex cluster) {
  if (request.options.spread_policy && !request.placement.placement.spread.empty()) {
    return points_by_trial(request, ranked, cluster);
  }
  const auto own = std::ranges::find(ranked, cluster, &Ranked::cluster);
  return points_behind_last(request, select(request, ranked), *own);
}

std::string more_points(std::int64_t points) {
  return fmt::format("{} more point{}", points, points == 1 ? "" : "s");
}

// With how many clusters it would be one of them; nullopt when it never is.
std::optional<std::size_t> number_needed(const Request& request, const std::vector<Ranked>& ranked,
                                         ClusterIndex cluster) {
  CompiledPlacement all = request.placement;
  all.placement.number_of_clusters.reset();
  const Selection selection = select({.placement = all,
                                      .fleet = request.fleet,
                                      .past = request.past,
                                      .options = request.options,
                                      .now = request.now},
                                     ranked);
  const auto place = std::ranges::find(selection.chosen, cluster, &Ranked::cluster);
  if (place == selection.chosen.end()) return std::nullopt;
  return static_cast<std::size_t>(place - selection.chosen.begin()) + 1;
}

}  // namespace

std::vector<std::string> rank_remedies(const Request& request, const Schedule& schedule,
                                       ClusterIndex cluster) {
  std::vector<Ranked> ranked = rank_with(request, schedule, cluster);
  if (chooses(request, ranked, cluster)) return {};
  if (request.placement.placement.number_of_clusters.value_or(1) <= 0) {
    // Points are no help where nobody is chosen.
    const auto number = number_needed(request, ranked, cluster);
    if (number) return {fmt::format("numberOfClusters {}", *number)};
    return {std::string(kOtherTopology)};
  }
  if (const auto points = points_short(request, ranked, cluster)) {
    return {more_points(*points)};
  }
  const auto own = std::ranges::find(ranked, cluster, &Ranked::cluster);
  if (own->is_avoided) {
    own->is_avoided = false;
    std::vector<std::string> remedies = {"no PreferNoSelect taint"};
    if (chooses(request, ranked, cluster)) return remedies;
    if (const auto points = points_short(request, ranked, cluster)) {
      remedies.push_back(more_points(*points));
      return remedies;
    }
  }
  return {std::string(kOtherTopology)};
}

}  // namespace berth::placement

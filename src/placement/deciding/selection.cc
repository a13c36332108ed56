#include "placement/deciding/selection.h"

#include <algorithm>
#include <utility>

#include "placement/deciding/spread.h"

namespace berth::placement {
namespace {

// Best first, as far as `count` goes. An incumbent counts for `gain` more, and wins a tie then:
// a rival has to lead by more than that.
std::vector<Ranked> best(const Request& request, std::span<const Ranked> feasible,
                         std::size_t count, std::int64_t gain) {
  std::vector<Ranked> order(feasible.begin(), feasible.end());
  const auto before = [&request, gain](const Ranked& a, const Ranked& b) {
    if (gain == 0) return comes_before(request.fleet, a, b);
    if (a.is_avoided != b.is_avoided) return b.is_avoided;
    const bool a_stays = request.is_incumbent(a.cluster);
    const bool b_stays = request.is_incumbent(b.cluster);
    const std::int64_t a_counts = a.total + (a_stays ? gain : 0);
    const std::int64_t b_counts = b.total + (b_stays ? gain : 0);
    if (a_counts != b_counts) return a_counts > b_counts;
    if (a_stays != b_stays) return a_stays;
    return comes_before(request.fleet, a, b);
  };
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>(count);
  std::partial_sort(order.begin(), middle, order.end(), before);
  order.erase(middle, order.end());
  return order;
}

std::vector<Ranked> take(const Request& request, std::span<const Ranked> feasible,
                         std::int64_t gain) {
  const api::Placement& placement = request.placement.placement;
  const std::size_t count = wanted_clusters(placement, feasible.size());
  if (!request.options.spread_policy || placement.spread.empty()) {
    return best(request, feasible, count, gain);
  }
  const std::vector<Ranked> order = best(request, feasible, feasible.size(), gain);
  std::vector<ClusterIndex> clusters;
  clusters.reserve(order.size());
  for (const Ranked& ranked : order) clusters.push_back(ranked.cluster);
  std::vector<Ranked> chosen;
  for (const std::size_t place : spread(placement.spread, request.fleet, clusters, count)) {
    chosen.push_back(order[place]);
  }
  return chosen;
}

std::vector<Ranked> without(std::span<const Ranked> some, std::span<const Ranked> others) {
  ClusterBits taken;
  for (const Ranked& ranked : others) taken.set(ranked.cluster);
  std::vector<Ranked> rest;
  std::ranges::copy_if(some, std::back_inserter(rest),
                       [&taken](const Ranked& ranked) { return !taken.test(ranked.cluster); });
  return rest;
}

}  // namespace

std::size_t wanted_clusters(const api::Placement& placement, std::size_t feasible) {
  if (!placement.number_of_clusters) return feasible;
  const auto wanted = static_cast<std::size_t>(std::max(0, *placement.number_of_clusters));
  return std::min(wanted, feasible);
}

bool comes_before(const FleetView& fleet, const Ranked& a, const Ranked& b) {
  if (a.is_avoided != b.is_avoided) return b.is_avoided;
  if (a.total != b.total) return a.total > b.total;
  return fleet.clusters().position(a.cluster) < fleet.clusters().position(b.cluster);
}

Selection select(const Request& request, std::span<const Ranked> feasible) {
  const std::int64_t gain = request.placement.min_gain;
  Selection selection{.chosen = take(request, feasible, gain)};
  if (gain == 0) return selection;

  const std::vector<Ranked> undamped = take(request, feasible, 0);
  const std::vector<Ranked> rivals = without(undamped, selection.chosen);
  const std::vector<Ranked> kept = without(selection.chosen, undamped);
  for (std::size_t i = 0; i < std::min(rivals.size(), kept.size()); ++i) {
    selection.held.push_back({.incumbent = kept[i].cluster,
                              .rival = rivals[i].cluster,
                              .lead = rivals[i].total - kept[i].total});
  }
  return selection;
}

}  // namespace berth::placement

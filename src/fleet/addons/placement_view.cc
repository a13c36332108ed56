#include "fleet/addons/placement_view.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "base/strings.h"

namespace berth::fleet {
namespace {

// Whoever decides placements says so with this condition, whatever its status.
constexpr std::string_view kDecided = "PlacementSatisfied";

std::vector<RolloutGroup> group(std::span<const json::Value* const> decisions) {
  std::map<std::int64_t, RolloutGroup> groups;
  std::set<std::string> seen;
  for (const json::Value* object : decisions) {
    const api::PlacementDecision decision = api::read_placement_decision(*object);
    const auto index = parse_int64(decision.facts.label(api::kDecisionGroupIndexLabel));
    RolloutGroup& target = groups[index.value_or(0)];
    target.index = static_cast<std::int32_t>(index.value_or(0));
    target.name = decision.facts.label(api::kDecisionGroupNameLabel);
    for (const api::ClusterDecision& chosen : decision.decisions) {
      if (seen.insert(chosen.cluster).second) target.clusters.push_back(chosen.cluster);
    }
  }
  std::vector<RolloutGroup> ordered;
  for (auto& [index, found] : groups) {
    std::ranges::sort(found.clusters);
    ordered.push_back(std::move(found));
  }
  return ordered;
}

std::size_t count(const std::vector<RolloutGroup>& groups) {
  std::size_t clusters = 0;
  for (const RolloutGroup& each : groups) clusters += each.clusters.size();
  return clusters;
}

// A placement has a group 0 at least, if only an empty one, and no gaps.
bool is_whole(const std::vector<RolloutGroup>& groups) {
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (std::cmp_not_equal(groups[i].index, i)) return false;
  }
  return !groups.empty();
}

}  // namespace

bool PlacementView::chose(std::string_view cluster) const {
  return std::ranges::any_of(groups, [&](const RolloutGroup& each) {
    return std::ranges::binary_search(each.clusters, cluster, std::less<>());
  });
}

PlacementView view_placement(const json::Value* placement,
                             std::span<const json::Value* const> decisions) {
  PlacementView view;
  if (!placement) return view;
  view.exists = true;
  const api::Placement read = api::read_placement(*placement);
  view.group_size = read.group_size;
  view.groups = group(decisions);
  view.is_settled =
      !read.facts.is_deleting && api::find_condition(read.status.conditions, kDecided) != nullptr &&
      is_whole(view.groups) && count(view.groups) == static_cast<std::size_t>(read.status.selected);
  return view;
}

}  // namespace berth::fleet

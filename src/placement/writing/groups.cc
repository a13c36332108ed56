#include "placement/writing/groups.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "api/kinds/placement_decision.h"
#include "base/result.h"
#include "base/strings.h"
#include "placement/fleet/bound_selector.h"

namespace berth::placement {
namespace {

std::optional<std::int64_t> percentage(std::string_view text) {
  if (!text.ends_with('%')) return std::nullopt;
  return parse_int64(text.substr(0, text.size() - 1));
}

// In doubles from left to right, as the reference: 7% of 100 clusters are 8.
Result<std::size_t> group_length(const api::GroupSize& size, std::size_t chosen) {
  std::int64_t length = 0;
  if (const auto* text = std::get_if<std::string>(&size)) {
    const auto percent = percentage(*text);
    if (!percent) {
      return failure(Code::Invalid,
                     fmt::format("{} invalid type: string is not a percentage", *text));
    }
    const double part = static_cast<double>(*percent) / 100 * static_cast<double>(chosen);
    length = static_cast<std::int64_t>(std::clamp(std::ceil(part), -1.0, 1e9));
  } else {
    length = std::get<std::int64_t>(size);
  }
  const auto all = static_cast<std::int64_t>(chosen);
  return static_cast<std::size_t>(length <= 0 || length > all ? all : length);
}

void sort_clusters(std::vector<Ranked>& clusters, const FleetView& fleet, api::SortBy sort_by) {
  if (sort_by == api::SortBy::Score) {
    std::ranges::sort(clusters, [&fleet](const Ranked& a, const Ranked& b) {
      if (a.total != b.total) return a.total > b.total;
      return fleet.clusters().position(a.cluster) < fleet.clusters().position(b.cluster);
    });
    return;
  }
  std::ranges::sort(clusters, {}, [&fleet](const Ranked& ranked) {
    return fleet.clusters().position(ranked.cluster);
  });
}

void append_chunks(std::vector<Group>& groups, const std::string& name,
                   std::span<const Ranked> clusters, std::size_t length) {
  while (!clusters.empty()) {
    const auto chunk = clusters.first(std::min(length, clusters.size()));
    groups.push_back({.name = name, .clusters = {chunk.begin(), chunk.end()}});
    clusters = clusters.subspan(chunk.size());
  }
}

// Moves the clusters that the entry selects out of `rest`, which keeps its order.
Result<std::vector<Ranked>> take_members(const api::DecisionGroup& entry, const FleetView& fleet,
                                         std::vector<Ranked>& rest) {
  ASSIGN_OR_RETURN(const api::LabelSelector labels, entry.selector.labels);
  ASSIGN_OR_RETURN(const api::LabelSelector claims, entry.selector.claims);
  const BoundSelector bound_labels(labels, fleet.symbols());
  const BoundSelector bound_claims(claims, fleet.symbols());
  std::vector<Ranked> members;
  std::erase_if(rest, [&](const Ranked& ranked) {
    const Cluster& cluster = fleet.clusters()[ranked.cluster];
    const bool is_member =
        bound_labels.matches(cluster.labels) && bound_claims.matches(cluster.claims);
    if (is_member) members.push_back(ranked);
    return is_member;
  });
  return members;
}

}  // namespace

Grouping make_groups(const api::Placement& placement, const FleetView& fleet,
                     std::span<const Ranked> chosen, api::SortBy sort_by) {
  Grouping grouping;
  const auto length = group_length(placement.group_size, chosen.size());
  if (!length.ok()) {
    grouping.problem = length.error().message;
    return grouping;
  }
  std::vector<Ranked> rest(chosen.begin(), chosen.end());
  sort_clusters(rest, fleet, sort_by);
  for (const api::DecisionGroup& entry : placement.groups) {
    const auto members = take_members(entry, fleet, rest);
    if (!members.ok()) {
      grouping.problem = members.error().message;
      return grouping;
    }
    append_chunks(grouping.groups, entry.name, *members, *length);
  }
  append_chunks(grouping.groups, "", rest, *length);
  if (grouping.groups.empty()) grouping.groups.emplace_back();
  return grouping;
}

std::vector<DecisionSlice> slice(std::string_view placement, std::span<const Group> groups) {
  std::vector<DecisionSlice> slices;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    std::span<const Ranked> rest = groups[i].clusters;
    do {
      const auto part = rest.first(std::min(rest.size(), api::kDecisionsPerObject));
      slices.push_back({.name = fmt::format("{}-decision-{}", placement, slices.size() + 1),
                        .group = i,
                        .group_name = groups[i].name,
                        .clusters = {part.begin(), part.end()}});
      rest = rest.subspan(part.size());
    } while (!rest.empty());
  }
  return slices;
}

}  // namespace berth::placement

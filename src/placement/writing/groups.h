// Decision groups: the chosen clusters cut into named groups, and those into objects.

#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/kinds/placement.h"
#include "placement/deciding/selection.h"
#include "placement/fleet/fleet_view.h"

namespace berth::placement {

struct Group {
  std::string name = {};  // "" for clusters that no entry of the strategy selects.
  std::vector<Ranked> clusters = {};
};

struct Grouping {
  std::vector<Group> groups = {};  // Never empty without a problem.

  // Why the strategy is misconfigured. Groups of the entries before the bad one stay.
  std::optional<std::string> problem = std::nullopt;
};

// The order inside a group is by name, or by score if the placement sorts by it (and `sort_by`
// says so, which is not always what the placement's spec says).
Grouping make_groups(const api::Placement& placement, const FleetView& fleet,
                     std::span<const Ranked> chosen, api::SortBy sort_by);

// One PlacementDecision to be.
struct DecisionSlice {
  std::string name = {};  // <placement>-decision-<n>, counted over all groups from 1.
  std::size_t group = 0;
  std::string group_name = {};
  std::vector<Ranked> clusters = {};
};

// A group without clusters has one slice without any.
std::vector<DecisionSlice> slice(std::string_view placement, std::span<const Group> groups);

}  // namespace berth::placement

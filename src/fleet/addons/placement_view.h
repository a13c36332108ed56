// A Placement as an installer sees it: the clusters that it chose, in their groups, and whether
// that is its last word at the moment.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "api/kinds/placement.h"
#include "api/kinds/placement_decision.h"
#include "fleet/addons/rollout.h"
#include "json/value.h"

namespace berth::fleet {

struct PlacementView {
  bool exists = false;

  // Not while it is missing, being deleted, not decided yet, while a group of its decisions is
  // missing, or while they are not as many as its status counts: what it shows then may be empty
  // for a moment only.
  bool is_settled = false;
  api::GroupSize group_size = std::int64_t{0};
  std::vector<RolloutGroup> groups = {};  // By index; clusters sorted.

  bool chose(std::string_view cluster) const;
};

// `placement` may be null. `decisions` are those that carry its label in its namespace.
PlacementView view_placement(const json::Value* placement,
                             std::span<const json::Value* const> decisions);

}  // namespace berth::fleet

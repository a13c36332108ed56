// The list of filters and built-in prioritizers: a new one is one line in registry.cc. Nothing else
// knows them by their names or types.

#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "api/kinds/placement.h"
#include "placement/filter.h"
#include "placement/prioritizer.h"

namespace berth::placement {

struct Registry {
  std::vector<std::shared_ptr<const Filter>> filters;  // In the order in which they run.
  std::vector<std::shared_ptr<const Prioritizer>> prioritizers;

  // Null for a name that is none.
  std::shared_ptr<const Prioritizer> find_prioritizer(std::string_view name) const;
};

const Registry& built_in_plugins();

// Ranks by a score that clusters publish.
std::shared_ptr<const Prioritizer> score_prioritizer(const api::AddOnScore& score);

}  // namespace berth::placement

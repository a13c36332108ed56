// Which prioritizers a Placement's policy asks for, and how much each counts.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/kinds/placement.h"
#include "base/result.h"
#include "placement/registry.h"

namespace berth::placement {

// One prioritizer to run: a built-in by its name, or a published score.
struct WeightedCoordinate {
  std::string built_in = {};  // "" for a published score.
  api::AddOnScore add_on = {};
  std::int32_t weight = 0;

  bool operator==(const WeightedCoordinate&) const = default;
};

// Additive policies start with Balance 1 and Steady 1, exact ones with nothing. A later entry for
// the same built-in replaces the earlier; every entry with an addOn member counts for itself, as in
// the reference, which tells them apart by the member's address. Entries of weight 0 are dropped
// unchecked. The error's message is the reference's.
Result<std::vector<WeightedCoordinate>> weigh(
    std::string_view mode, std::span<const api::PrioritizerConfiguration> configurations,
    const Registry& plugins);

}  // namespace berth::placement

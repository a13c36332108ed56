// Prefers clusters that other placements use little.

#pragma once

#include "placement/prioritizer.h"

namespace berth::placement {

// 100 for a cluster that no other placement's decision names; down to -100 for the most named one
// of the whole hub, candidate or not. Rounded as the reference does: half the score is truncated,
// then doubled.
class Balance final : public Prioritizer {
 public:
  std::string_view name() const override { return "Balance"; }
  Reads reads() const override { return {}; }
  Ranking rank(const Request& request, std::span<const ClusterIndex> candidates) const override;
};

}  // namespace berth::placement

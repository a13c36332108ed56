// Prefers the clusters that the placement has already chosen.

#pragma once

#include "placement/prioritizer.h"

namespace berth::placement {

class Steady final : public Prioritizer {
 public:
  std::string_view name() const override { return "Steady"; }
  Ranking rank(const Request& request, std::span<const ClusterIndex> candidates) const override;
};

}  // namespace berth::placement

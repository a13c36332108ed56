// Prefers the clusters that the placement has already chosen.

#pragma once

#include "placement/prioritizer.h"

namespace berth::placement {

class Steady final : public Prioritizer {
 public:
  std::string_view name() const override { return "Steady"; }
  Reads reads() const override { return {}; }
  Ranking rank(const Request& request, std::span<const ClusterIndex> candidates) const override;
  std::optional<std::string> remark(std::int32_t weight) const override;
};

}  // namespace berth::placement

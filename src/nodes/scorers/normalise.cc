#include "nodes/scorers/normalise.h"

#include <algorithm>

namespace berth::nodes {

void normalise(std::span<std::int64_t> points, Best best) {
  std::int64_t most = 0;
  for (const std::int64_t raw : points) most = std::max(most, raw);
  for (std::int64_t& raw : points) {
    raw = most == 0 ? 0 : raw * kPointsMax / most;
    if (best == Best::Fewest) raw = kPointsMax - raw;
  }
}

}  // namespace berth::nodes

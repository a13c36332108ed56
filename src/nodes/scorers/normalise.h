// Brings raw points of any size to 0..kPointsMax, in proportion to the largest.

#pragma once

#include <cstdint>
#include <span>

#include "nodes/scorer.h"

namespace berth::nodes {

enum class Best : std::uint8_t { Most, Fewest };

// None may be negative. When all are 0, all are equally good.
void normalise(std::span<std::int64_t> points, Best best);

}  // namespace berth::nodes

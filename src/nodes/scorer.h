// The one interface a new way of ranking nodes has to implement.

#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "nodes/cycle.h"

namespace berth::nodes {

inline constexpr std::int64_t kPointsMax = 100;

// Pure: the answer depends on the arguments only. Implementations hold configuration, never state.
class Scorer {
 public:
  virtual ~Scorer() = default;

  virtual std::string_view name() const = 0;

  // Fills in points[i] for nodes[i], from 0 to kPointsMax; they arrive as 0. False: it has nothing
  // to say about this pod, and nothing was filled in.
  virtual bool score(const Cycle& cycle, std::span<const NodeSlot> nodes,
                     std::span<std::int64_t> points) const = 0;
};

}  // namespace berth::nodes

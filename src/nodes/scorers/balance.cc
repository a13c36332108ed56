#include "nodes/scorers/balance.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace berth::nodes {
namespace {

struct Line {
  std::span<const std::int64_t> allocatable;
  std::span<const std::int64_t> free;
  std::int64_t asked;

  std::optional<double> share(NodeSlot node) const {
    if (allocatable[node] <= 0) return std::nullopt;
    const double whole = static_cast<double>(allocatable[node]);
    const double used = whole - static_cast<double>(free[node]) + static_cast<double>(asked);
    return std::min(used / whole, 1.0);
  }
};

}  // namespace

bool Balance::score(const Cycle& cycle, std::span<const NodeSlot> nodes,
                    std::span<std::int64_t> points) const {
  const auto line = [&cycle](Column column) {
    return Line{.allocatable = cycle.snapshot.allocatable(column),
                .free = cycle.snapshot.free(column),
                .asked = amount_in(cycle.needs, column)};
  };
  const Line cpu = line(kCpu);
  const Line memory = line(kMemory);
  if (cpu.asked == 0 && memory.asked == 0) return false;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto a = cpu.share(nodes[i]);
    const auto b = memory.share(nodes[i]);
    const double deviation = a && b ? std::abs(*a - *b) / 2 : 0;
    points[i] = static_cast<std::int64_t>((1 - deviation) * static_cast<double>(kPointsMax));
  }
  return true;
}

}  // namespace berth::nodes

#include "nodes/scorers/allocation.h"

#include <algorithm>

namespace berth::nodes {
namespace {

__extension__ using Wide = __int128;

// One resource, ready to be read for many nodes.
struct Line {
  std::span<const std::int64_t> allocatable;
  std::span<const std::int64_t> used;  // Empty: take it from `free`.
  std::span<const std::int64_t> free;
  std::int64_t asked;
  std::int64_t weight;

  Wide used_after(NodeSlot node) const {
    const Wide before = used.empty() ? Wide{allocatable[node]} - free[node] : Wide{used[node]};
    return before + asked;
  }
};

std::int64_t share(Wide part, std::int64_t whole) {
  return static_cast<std::int64_t>(part * kPointsMax / whole);
}

std::vector<Line> lines_of(const Cycle& cycle, const std::vector<WeightedResource>& resources) {
  std::vector<Line> lines;
  const Snapshot& snapshot = cycle.snapshot;
  for (const WeightedResource& resource : resources) {
    const auto column = snapshot.columns().find(resource.name);
    if (!column) continue;
    Line line{.allocatable = snapshot.allocatable(*column),
              .used = {},
              .free = snapshot.free(*column),
              .asked = amount_in(cycle.needs, *column),
              .weight = resource.weight};
    if (*column == kCpu) {
      line.used = snapshot.scored_cpu();
      line.asked = cycle.pod.facts.scored_cpu;
    } else if (*column == kMemory) {
      line.used = snapshot.scored_memory();
      line.asked = cycle.pod.facts.scored_memory;
    } else if (line.asked == 0) {
      continue;  // A resource that few pods know says nothing about the others.
    }
    lines.push_back(line);
  }
  return lines;
}

}  // namespace

bool Allocation::score(const Cycle& cycle, std::span<const NodeSlot> nodes,
                       std::span<std::int64_t> points) const {
  const std::vector<Line> lines = lines_of(cycle, options_.resources);
  const bool is_least = options_.strategy == AllocationOptions::Strategy::LeastAllocated;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    std::int64_t sum = 0;
    std::int64_t weights = 0;
    for (const Line& line : lines) {
      const std::int64_t whole = line.allocatable[nodes[i]];
      if (whole <= 0) continue;
      const Wide used = std::min(line.used_after(nodes[i]), Wide{whole});
      sum += line.weight * share(is_least ? whole - used : used, whole);
      weights += line.weight;
    }
    points[i] = weights == 0 ? 0 : sum / weights;
  }
  return true;
}

}  // namespace berth::nodes

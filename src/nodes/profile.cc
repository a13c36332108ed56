#include "nodes/profile.h"

#include <algorithm>

#include "nodes/registry.h"

namespace berth::nodes {

Profile default_profile() {
  Profile profile;
  for (const FilterEntry& entry : filter_registry()) profile.filters.push_back(entry.make());
  for (const ScorerEntry& entry : scorer_registry()) {
    profile.scorers.push_back({.scorer = entry.make({}), .weight = entry.weight});
  }
  return profile;
}

std::size_t nodes_to_find(std::size_t nodes, int percentage) {
  constexpr std::size_t kEnough = 100;
  constexpr std::size_t kPercentMin = 5;
  if (nodes < kEnough) return nodes;
  std::size_t percent = static_cast<std::size_t>(std::max(percentage, 0));
  if (percent == 0) {
    const std::size_t less = nodes / 125;
    percent = less + kPercentMin < 50 ? 50 - less : kPercentMin;
  }
  if (percent >= 100) return nodes;
  return std::max(nodes * percent / 100, kEnough);
}

}  // namespace berth::nodes

#include "nodes/scorers/node_affinity_preference.h"

#include "nodes/scorers/normalise.h"

namespace berth::nodes {

bool NodeAffinityPreference::score(const Cycle& cycle, std::span<const NodeSlot> nodes,
                                   std::span<std::int64_t> points) const {
  const NodeMatch& match = cycle.pod.wishes.match;
  if (!match.has_preferences()) return false;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const NodeFacts& facts = cycle.snapshot.facts(nodes[i]);
    points[i] = match.preference(facts.name, api::Labels(facts.labels));
  }
  normalise(points, Best::Most);
  return true;
}

}  // namespace berth::nodes

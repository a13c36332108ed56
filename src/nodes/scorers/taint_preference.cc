#include "nodes/scorers/taint_preference.h"

#include <algorithm>

#include "nodes/scorers/normalise.h"

namespace berth::nodes {
namespace {

std::int64_t count_untolerated(const NodeFacts& facts, const PodWishes& wishes) {
  return std::ranges::count_if(facts.taints, [&wishes](const api::Taint& taint) {
    if (taint.effect != api::TaintEffect::PreferNoSchedule) return false;
    return std::ranges::none_of(wishes.tolerations, [&taint](const api::Toleration& toleration) {
      return api::tolerates(toleration, taint);
    });
  });
}

}  // namespace

bool TaintPreference::score(const Cycle& cycle, std::span<const NodeSlot> nodes,
                            std::span<std::int64_t> points) const {
  bool any = false;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const NodeFacts& facts = cycle.snapshot.facts(nodes[i]);
    if (facts.taints.empty()) continue;
    points[i] = count_untolerated(facts, cycle.pod.wishes);
    any = any || points[i] > 0;
  }
  if (!any) return false;
  normalise(points, Best::Fewest);
  return true;
}

}  // namespace berth::nodes

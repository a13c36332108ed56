#include "local/node_choice.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "api/kinds/fields.h"
#include "api/kinds/pod.h"
#include "api/taint.h"
#include "local/node_wish.h"

namespace berth::local {
namespace {

using json::Value;

// How a cordon looks to those who put up with it.
const api::Taint& cordon() {
  static const api::Taint taint{.key = "node.kubernetes.io/unschedulable",
                                .effect = api::TaintEffect::NoSchedule};
  return taint;
}

bool takes(const api::Node& node, const Value& pod) {
  if (!node.ready || node.being_deleted) return false;
  if (!wants_node(api::field(pod, "spec"), node)) return false;
  std::vector<api::Taint> taints = node.taints;
  if (node.unschedulable) taints.push_back(cordon());
  return api::find_untolerated(taints, api::Pod::from_json(pod).tolerations,
                               api::kRepellingNodeEffects) == nullptr;
}

}  // namespace

const NodeLoad* choose_node(const Value& pod, std::span<const NodeLoad> nodes) {
  const NodeLoad* best = nullptr;
  for (const NodeLoad& candidate : nodes) {
    if (!takes(candidate.node, pod)) continue;
    if (!best ||
        std::tie(candidate.pods, candidate.node.name) < std::tie(best->pods, best->node.name)) {
      best = &candidate;
    }
  }
  return best;
}

}  // namespace berth::local

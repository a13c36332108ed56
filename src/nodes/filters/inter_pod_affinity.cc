#include "nodes/filters/inter_pod_affinity.h"

#include <algorithm>
#include <set>
#include <utility>

namespace berth::nodes {
namespace {

// A topology key and the value that is closed to the pod.
using Closed = std::set<std::pair<std::string, std::string>>;

class Test final : public NodeTest {
 public:
  Test(const Cycle& cycle, Closed closed) : cycle_(cycle), closed_(std::move(closed)) {}

  std::size_t keep(std::span<NodeSlot> nodes) const override {
    return keep_if(nodes, [this](NodeSlot node) { return !is_closed(node); });
  }

  std::vector<Objection> objections(NodeSlot node) const override {
    if (!is_closed(node)) return {};
    return {{.reason = "node(s) didn't satisfy existing pods anti-affinity rules"}};
  }

 private:
  bool is_closed(NodeSlot node) const {
    const api::Labels labels(cycle_.snapshot.facts(node).labels);
    return std::ranges::any_of(
        closed_, [&labels](const auto& place) { return labels.find(place.first) == place.second; });
  }

  const Cycle& cycle_;
  Closed closed_;
};

}  // namespace

std::unique_ptr<NodeTest> InterPodAffinity::prepare(const Cycle& cycle) const {
  Closed closed;
  const Snapshot& snapshot = cycle.snapshot;
  const api::Labels labels(cycle.pod.wishes.labels);
  for (const std::string& uid : snapshot.repelling_pods()) {
    const BoundPod& pod = *snapshot.find_pod(uid);
    const api::Labels of_node(snapshot.facts(pod.node).labels);
    for (const AntiAffinityTerm& term : pod.anti_affinity) {
      const auto value = of_node.find(term.topology_key());
      if (!value || !term.matches(cycle.pod.facts.key.ns, labels)) continue;
      closed.emplace(term.topology_key(), *value);
    }
  }
  if (closed.empty()) return nullptr;
  return std::make_unique<Test>(cycle, std::move(closed));
}

}  // namespace berth::nodes

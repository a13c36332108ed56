#include "nodes/filters/node_unschedulable.h"

#include <algorithm>

namespace berth::nodes {
namespace {

class Test final : public NodeTest {
 public:
  explicit Test(const Cycle& cycle) : cycle_(cycle) {}

  std::size_t keep(std::span<NodeSlot> nodes) const override {
    return keep_if(nodes, [this](NodeSlot node) { return !is_cordoned(node); });
  }

  std::vector<Objection> objections(NodeSlot node) const override {
    if (!is_cordoned(node)) return {};
    return {{.reason = "node(s) were unschedulable", .is_resolvable = false}};
  }

 private:
  bool is_cordoned(NodeSlot node) const { return cycle_.snapshot.facts(node).unschedulable; }

  const Cycle& cycle_;
};

}  // namespace

std::unique_ptr<NodeTest> NodeUnschedulable::prepare(const Cycle& cycle) const {
  const api::Taint cordoned{.key = "node.kubernetes.io/unschedulable",
                            .effect = api::TaintEffect::NoSchedule};
  const bool is_tolerated = std::ranges::any_of(
      cycle.pod.wishes.tolerations,
      [&cordoned](const api::Toleration& toleration) { return tolerates(toleration, cordoned); });
  if (is_tolerated) return nullptr;
  return std::make_unique<Test>(cycle);
}

}  // namespace berth::nodes

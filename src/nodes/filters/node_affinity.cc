#include "nodes/filters/node_affinity.h"

namespace berth::nodes {
namespace {

class Test final : public NodeTest {
 public:
  explicit Test(const Cycle& cycle) : cycle_(cycle) {}

  std::size_t keep(std::span<NodeSlot> nodes) const override {
    return keep_if(nodes, [this](NodeSlot node) { return passes(node); });
  }

  std::vector<Objection> objections(NodeSlot node) const override {
    if (passes(node)) return {};
    return {
        {.reason = "node(s) didn't match Pod's node affinity/selector", .is_resolvable = false}};
  }

 private:
  bool passes(NodeSlot node) const {
    const NodeFacts& facts = cycle_.snapshot.facts(node);
    return cycle_.pod.wishes.match.matches(facts.name, api::Labels(facts.labels));
  }

  const Cycle& cycle_;
};

}  // namespace

std::unique_ptr<NodeTest> NodeAffinity::prepare(const Cycle& cycle) const {
  return std::make_unique<Test>(cycle);
}

}  // namespace berth::nodes

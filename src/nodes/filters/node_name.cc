#include "nodes/filters/node_name.h"

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
    return {{.reason = "node(s) didn't match the requested node name", .is_resolvable = false}};
  }

 private:
  bool passes(NodeSlot node) const { return cycle_.snapshot.name(node) == cycle_.pod.wishes.node; }

  const Cycle& cycle_;
};

}  // namespace

std::unique_ptr<NodeTest> NodeName::prepare(const Cycle& cycle) const {
  if (cycle.pod.wishes.node.empty()) return nullptr;
  return std::make_unique<Test>(cycle);
}

}  // namespace berth::nodes

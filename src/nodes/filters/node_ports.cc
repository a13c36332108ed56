#include "nodes/filters/node_ports.h"

namespace berth::nodes {
namespace {

class Test final : public NodeTest {
 public:
  explicit Test(const Cycle& cycle) : cycle_(cycle) {}

  std::size_t keep(std::span<NodeSlot> nodes) const override {
    return keep_if(nodes, [this](NodeSlot node) { return !is_taken(node); });
  }

  std::vector<Objection> objections(NodeSlot node) const override {
    if (!is_taken(node)) return {};
    return {{.reason = "node(s) didn't have free ports for the requested pod ports"}};
  }

 private:
  bool is_taken(NodeSlot node) const {
    return find_conflict(cycle_.pod.facts.ports, cycle_.snapshot.ports(node)) != nullptr;
  }

  const Cycle& cycle_;
};

}  // namespace

std::unique_ptr<NodeTest> NodePorts::prepare(const Cycle& cycle) const {
  if (cycle.pod.facts.ports.empty()) return nullptr;
  return std::make_unique<Test>(cycle);
}

}  // namespace berth::nodes

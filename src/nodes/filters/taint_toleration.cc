#include "nodes/filters/taint_toleration.h"

#include <fmt/format.h>

namespace berth::nodes {
namespace {

class Test final : public NodeTest {
 public:
  explicit Test(const Cycle& cycle) : cycle_(cycle) {}

  std::size_t keep(std::span<NodeSlot> nodes) const override {
    return keep_if(nodes, [this](NodeSlot node) { return find_taint(node) == nullptr; });
  }

  std::vector<Objection> objections(NodeSlot node) const override {
    const api::Taint* taint = find_taint(node);
    if (!taint) return {};
    return {{.reason =
                 fmt::format("node(s) had untolerated taint {{{}: {}}}", taint->key, taint->value),
             .is_resolvable = false}};
  }

 private:
  const api::Taint* find_taint(NodeSlot node) const {
    return api::find_untolerated(cycle_.snapshot.facts(node).taints, cycle_.pod.wishes.tolerations,
                                 api::kRepellingNodeEffects);
  }

  const Cycle& cycle_;
};

}  // namespace

std::unique_ptr<NodeTest> TaintToleration::prepare(const Cycle& cycle) const {
  return std::make_unique<Test>(cycle);
}

}  // namespace berth::nodes

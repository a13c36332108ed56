#include "nodes/filters/node_resources_fit.h"

#include <fmt/format.h>

namespace berth::nodes {
namespace {

class Test final : public NodeTest {
 public:
  explicit Test(const Cycle& cycle) : cycle_(cycle) {}

  // One column at a time: the numbers of many nodes lie side by side.
  std::size_t keep(std::span<NodeSlot> nodes) const override {
    if (!cycle_.unknown.empty()) return 0;
    std::size_t kept = nodes.size();
    for (const Need& need : cycle_.needs) {
      const std::span<const std::int64_t> free = cycle_.snapshot.free(need.column);
      kept = keep_if(nodes.first(kept), [&](NodeSlot node) { return need.amount <= free[node]; });
    }
    return kept;
  }

  std::vector<Objection> objections(NodeSlot node) const override {
    std::vector<Objection> objections;
    const Snapshot& snapshot = cycle_.snapshot;
    for (const api::ResourceAmount& asked : cycle_.unknown) {
      objections.push_back(
          {.reason = fmt::format("Insufficient {}", asked.name), .is_resolvable = false});
    }
    for (const Need& need : cycle_.needs) {
      if (need.amount <= snapshot.free(need.column)[node]) continue;
      objections.push_back(
          {.reason = need.column == kPods
                         ? "Too many pods"
                         : fmt::format("Insufficient {}", snapshot.columns().name(need.column)),
           .is_resolvable = need.amount <= snapshot.allocatable(need.column)[node]});
    }
    return objections;
  }

 private:
  const Cycle& cycle_;
};

}  // namespace

std::unique_ptr<NodeTest> NodeResourcesFit::prepare(const Cycle& cycle) const {
  return std::make_unique<Test>(cycle);
}

}  // namespace berth::nodes

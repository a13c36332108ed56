// Processes stand still for a while, as those of a machine that swaps or moves, and go on without
// having noticed.
// Tested by faults_test.cc.

#include "sim/faults/recurring.h"
#include "sim/faults/registry.h"

namespace berth::sim {
namespace {

void pause_one(World& world, Random& random, Duration lasts_most) {
  const std::vector<Node*> nodes = world.nodes();
  Node& node = *nodes[random.below(nodes.size())];
  const Duration length(random.between(1, lasts_most.count()));
  if (node.options().crashes && node.is_running()) node.process()->pause_for(length);
}

void wake_all(World& world) {
  for (Node* node : world.nodes()) {
    if (node->is_running()) node->process()->wake();
  }
}

}  // namespace

std::unique_ptr<Fault> draw_pauses(Random random) {
  const Spells spells = {
      .name = "pauses",
      .between = draw_length(random, std::chrono::milliseconds(500), std::chrono::seconds(20)),
      .lasts_most = draw_length(random, std::chrono::milliseconds(10), std::chrono::seconds(30)),
      .strike = &pause_one,
      .undo = &wake_all};
  return recurring(random, spells);
}

}  // namespace berth::sim

// Single links, in one direction, hold everything back for a while.
// Tested by faults_test.cc.

#include "sim/faults/recurring.h"
#include "sim/faults/registry.h"

namespace berth::sim {
namespace {

void clog_one(World& world, Random& random, Duration lasts_most) {
  const std::vector<Node*> nodes = world.nodes();
  const std::string& from = nodes[random.below(nodes.size())]->name();
  const std::string& to = nodes[random.below(nodes.size())]->name();
  const Duration length(random.between(1, lasts_most.count()));
  world.fabric().clog(from, to, world.now() + length);
}

}  // namespace

std::unique_ptr<Fault> draw_clogs(Random random) {
  const Spells spells = {
      .name = "clogs",
      .between = draw_length(random, std::chrono::milliseconds(200), std::chrono::seconds(20)),
      .lasts_most = draw_length(random, std::chrono::milliseconds(50), std::chrono::seconds(20)),
      .strike = &clog_one,
      .undo = [](World& world) { world.fabric().heal(); }};
  return recurring(random, spells);
}

}  // namespace berth::sim

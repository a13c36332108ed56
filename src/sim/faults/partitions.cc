// Machines cannot reach each other for a while, in one direction or both.
// Tested by faults_test.cc.

#include "sim/faults/recurring.h"
#include "sim/faults/registry.h"

namespace berth::sim {
namespace {

void part_two(World& world, Random& random, Duration lasts_most) {
  const std::vector<Node*> nodes = world.nodes();
  const std::string from = nodes[random.below(nodes.size())]->name();
  const std::string to = nodes[random.below(nodes.size())]->name();
  const bool both_ways = random.chance(0.5);
  const Duration length(random.between(1, lasts_most.count()));
  if (from == to) return;
  world.fabric().block(from, to);
  if (both_ways) world.fabric().block(to, from);
  world.schedule().add(world.now() + length, [&world, from, to, both_ways] {
    world.fabric().unblock(from, to);
    if (both_ways) world.fabric().unblock(to, from);
  });
}

}  // namespace

std::unique_ptr<Fault> draw_partitions(Random random) {
  const Spells spells = {
      .name = "partitions",
      .between = draw_length(random, std::chrono::milliseconds(500), std::chrono::seconds(30)),
      .lasts_most = draw_length(random, std::chrono::milliseconds(100), std::chrono::seconds(60)),
      .strike = &part_two,
      .undo = [](World& world) { world.fabric().heal(); }};
  return recurring(random, spells);
}

}  // namespace berth::sim

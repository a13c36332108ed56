// Disks run full for a while.
// Tested by faults_test.cc.

#include "sim/faults/recurring.h"
#include "sim/faults/registry.h"

namespace berth::sim {
namespace {

void empty(MachineDisk& disk) { disk.options.capacity = DiskOptions{}.capacity; }

void fill_one(World& world, Random& random, Duration lasts_most) {
  const std::vector<Node*> nodes = world.nodes();
  MachineDisk& disk = nodes[random.below(nodes.size())]->disk();
  disk.options.capacity = 0;
  const Duration length(random.between(1, lasts_most.count()));
  world.schedule().add(world.now() + length, [&disk] { empty(disk); });
}

void empty_all(World& world) {
  for (Node* node : world.nodes()) empty(node->disk());
}

}  // namespace

std::unique_ptr<Fault> draw_full_disks(Random random) {
  const Spells spells = {
      .name = "full disks",
      .between = draw_length(random, std::chrono::seconds(1), std::chrono::seconds(30)),
      .lasts_most = draw_length(random, std::chrono::milliseconds(10), std::chrono::seconds(10)),
      .strike = &fill_one,
      .undo = &empty_all};
  return recurring(random, spells);
}

}  // namespace berth::sim

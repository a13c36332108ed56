// Wall clocks step, and all clocks run at the wrong speed.
// Tested by faults_test.cc.

#include <fmt/core.h>

#include "sim/faults/recurring.h"
#include "sim/faults/registry.h"

namespace berth::sim {
namespace {

void disturb_one(World& world, Random& random, Duration step_most, std::int32_t drift_most_ppm) {
  const std::vector<Node*> nodes = world.nodes();
  NodeClock& clock = nodes[random.below(nodes.size())]->clock();
  clock.step_wall(Duration(random.between(-step_most.count(), step_most.count())));
  const std::int64_t drift = random.between(-drift_most_ppm, drift_most_ppm);
  clock.set_drift(static_cast<std::int32_t>(drift), world.now());
}

// Clocks run right again; where they stand, they stay, as after a real step.
void run_right(World& world) {
  for (Node* node : world.nodes()) node->clock().set_drift(0, world.now());
}

}  // namespace

std::unique_ptr<Fault> draw_clock_errors(Random random) {
  const Duration between = draw_length(random, std::chrono::seconds(1), std::chrono::seconds(30));
  const Duration step = draw_length(random, std::chrono::milliseconds(10), std::chrono::hours(1));
  const auto drift = static_cast<std::int32_t>(random.between(0, 100'000));
  return recurring(
      random,
      Recurring{
          .description = fmt::format("clock errors: about every {}, steps to {}, drift to {} ppm",
                                     to_text(between), to_text(step), drift),
          .between = between,
          .strike = [step, drift](World& world,
                                  Random& drawn) { disturb_one(world, drawn, step, drift); },
          .undo = &run_right});
}

}  // namespace berth::sim

// Wall clocks step, and all clocks run at the wrong speed.
// Tested by faults_test.cc.

#include <optional>

#include <fmt/core.h>

#include "sim/faults/registry.h"

namespace berth::sim {
namespace {

struct Errors {
  Duration between;
  Duration step_most;
  std::int32_t drift_most_ppm;
};

class ClockErrors final : public Fault {
 public:
  ClockErrors(Errors errors, Random random) : errors_(errors), random_(random) {}

  std::string describe() const override {
    return fmt::format("clock errors: about every {}, steps to {}, drift to {} ppm",
                       to_text(errors_.between), to_text(errors_.step_most),
                       errors_.drift_most_ppm);
  }

  void begin(World& world) override {
    episodes_.emplace(world, random_, errors_.between, [this](World& its_world, Random& random) {
      const std::vector<Node*> nodes = its_world.nodes();
      NodeClock& clock = nodes[random.below(nodes.size())]->clock();
      const std::int64_t most = errors_.step_most.count();
      clock.step_wall(Duration(random.between(-most, most)));
      clock.set_drift(static_cast<std::int32_t>(
                          random.between(-errors_.drift_most_ppm, errors_.drift_most_ppm)),
                      its_world.now());
    });
  }

  // Clocks run right again; where they stand, they stay, as after a real step.
  void end(World& world) override {
    episodes_.reset();
    for (Node* node : world.nodes()) node->clock().set_drift(0, world.now());
  }

 private:
  Errors errors_;
  Random random_;
  std::optional<Episodes> episodes_;
};

}  // namespace

std::unique_ptr<Fault> draw_clock_errors(Random random) {
  const Errors errors = {
      .between = draw_length(random, std::chrono::seconds(1), std::chrono::seconds(30)),
      .step_most = draw_length(random, std::chrono::milliseconds(10), std::chrono::hours(1)),
      .drift_most_ppm = static_cast<std::int32_t>(random.between(0, 100'000))};
  return std::make_unique<ClockErrors>(errors, random);
}

}  // namespace berth::sim

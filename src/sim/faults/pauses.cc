// Processes stand still for a while, as those of a machine that swaps or moves, and go on without
// having noticed.
// Tested by faults_test.cc.

#include <optional>

#include <fmt/core.h>

#include "sim/faults/registry.h"

namespace berth::sim {
namespace {

class Pauses final : public Fault {
 public:
  Pauses(Duration between, Duration lasts, Random random)
      : between_(between), lasts_(lasts), random_(random) {}

  std::string describe() const override {
    return fmt::format("pauses: about every {} for up to {}", to_text(between_), to_text(lasts_));
  }

  void begin(World& world) override {
    episodes_.emplace(world, random_, between_, [this](World& its_world, Random& random) {
      const std::vector<Node*> nodes = its_world.nodes();
      Node& node = *nodes[random.below(nodes.size())];
      const Duration length(random.between(1, lasts_.count()));
      if (node.options().crashes && node.is_running()) node.process()->pause_for(length);
    });
  }

  void end(World& world) override {
    episodes_.reset();
    for (Node* node : world.nodes()) {
      if (node->is_running()) node->process()->wake();
    }
  }

 private:
  Duration between_;
  Duration lasts_;
  Random random_;
  std::optional<Episodes> episodes_;
};

}  // namespace

std::unique_ptr<Fault> draw_pauses(Random random) {
  const Duration between =
      draw_length(random, std::chrono::milliseconds(500), std::chrono::seconds(20));
  const Duration lasts =
      draw_length(random, std::chrono::milliseconds(10), std::chrono::seconds(30));
  return std::make_unique<Pauses>(between, lasts, random);
}

}  // namespace berth::sim

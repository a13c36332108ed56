// Disks run full for a while.
// Tested by faults_test.cc.

#include <optional>

#include <fmt/core.h>

#include "sim/faults/registry.h"

namespace berth::sim {
namespace {

class FullDisks final : public Fault {
 public:
  FullDisks(Duration between, Duration lasts, Random random)
      : between_(between), lasts_(lasts), random_(random) {}

  std::string describe() const override {
    return fmt::format("full disks: about every {} for up to {}", to_text(between_),
                       to_text(lasts_));
  }

  void begin(World& world) override {
    episodes_.emplace(world, random_, between_, [this](World& its_world, Random& random) {
      const std::vector<Node*> nodes = its_world.nodes();
      MachineDisk& disk = nodes[random.below(nodes.size())]->disk();
      disk.options.capacity = 0;
      const Duration length(random.between(1, lasts_.count()));
      its_world.schedule().add(its_world.now() + length,
                               [&disk] { disk.options.capacity = DiskOptions{}.capacity; });
    });
  }

  void end(World& world) override {
    episodes_.reset();
    for (Node* node : world.nodes()) node->disk().options.capacity = DiskOptions{}.capacity;
  }

 private:
  Duration between_;
  Duration lasts_;
  Random random_;
  std::optional<Episodes> episodes_;
};

}  // namespace

std::unique_ptr<Fault> draw_full_disks(Random random) {
  const Duration between = draw_length(random, std::chrono::seconds(1), std::chrono::seconds(30));
  const Duration lasts =
      draw_length(random, std::chrono::milliseconds(10), std::chrono::seconds(10));
  return std::make_unique<FullDisks>(between, lasts, random);
}

}  // namespace berth::sim

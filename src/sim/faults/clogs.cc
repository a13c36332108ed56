// Single links, in one direction, hold everything back for a while.
// Tested by faults_test.cc.

#include <optional>

#include <fmt/core.h>

#include "sim/faults/registry.h"

namespace berth::sim {
namespace {

class Clogs final : public Fault {
 public:
  Clogs(Duration between, Duration lasts, Random random)
      : between_(between), lasts_(lasts), random_(random) {}

  std::string describe() const override {
    return fmt::format("clogs: about every {} for up to {}", to_text(between_), to_text(lasts_));
  }

  void begin(World& world) override {
    episodes_.emplace(world, random_, between_, [this](World& its_world, Random& random) {
      const std::vector<Node*> nodes = its_world.nodes();
      const std::string& from = nodes[random.below(nodes.size())]->name();
      const std::string& to = nodes[random.below(nodes.size())]->name();
      const Duration length(random.between(1, lasts_.count()));
      its_world.fabric().clog(from, to, its_world.now() + length);
    });
  }

  void end(World& world) override {
    episodes_.reset();
    world.fabric().heal();
  }

 private:
  Duration between_;
  Duration lasts_;
  Random random_;
  std::optional<Episodes> episodes_;
};

}  // namespace

std::unique_ptr<Fault> draw_clogs(Random random) {
  const Duration between =
      draw_length(random, std::chrono::milliseconds(200), std::chrono::seconds(20));
  const Duration lasts =
      draw_length(random, std::chrono::milliseconds(50), std::chrono::seconds(20));
  return std::make_unique<Clogs>(between, lasts, random);
}

}  // namespace berth::sim

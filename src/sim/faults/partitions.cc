// Machines cannot reach each other for a while, in one direction or both.
// Tested by faults_test.cc.

#include <optional>

#include <fmt/core.h>

#include "sim/faults/registry.h"

namespace berth::sim {
namespace {

class Partitions final : public Fault {
 public:
  Partitions(Duration between, Duration lasts, Random random)
      : between_(between), lasts_(lasts), random_(random) {}

  std::string describe() const override {
    return fmt::format("partitions: about every {} for up to {}", to_text(between_),
                       to_text(lasts_));
  }

  void begin(World& world) override {
    episodes_.emplace(world, random_, between_,
                      [this](World& its_world, Random& random) { strike(its_world, random); });
  }

  void end(World& world) override {
    episodes_.reset();
    world.fabric().heal();
  }

 private:
  void strike(World& world, Random& random) {
    const std::vector<Node*> nodes = world.nodes();
    const std::string from = nodes[random.below(nodes.size())]->name();
    const std::string to = nodes[random.below(nodes.size())]->name();
    const bool both_ways = random.chance(0.5);
    const Duration length(random.between(1, lasts_.count()));
    if (from == to) return;
    world.fabric().block(from, to);
    if (both_ways) world.fabric().block(to, from);
    world.schedule().add(world.now() + length, [&world, from, to, both_ways] {
      world.fabric().unblock(from, to);
      if (both_ways) world.fabric().unblock(to, from);
    });
  }

  Duration between_;
  Duration lasts_;
  Random random_;
  std::optional<Episodes> episodes_;
};

}  // namespace

std::unique_ptr<Fault> draw_partitions(Random random) {
  const Duration between =
      draw_length(random, std::chrono::milliseconds(500), std::chrono::seconds(30));
  const Duration lasts =
      draw_length(random, std::chrono::milliseconds(100), std::chrono::seconds(60));
  return std::make_unique<Partitions>(between, lasts, random);
}

}  // namespace berth::sim

// Certificates are replaced, as often as in no real fleet.
// Tested by faults_test.cc.

#include <optional>

#include <fmt/core.h>

#include "sim/faults/registry.h"

namespace berth::sim {
namespace {

class Rotations final : public Fault {
 public:
  Rotations(Duration between, Random random) : between_(between), random_(random) {}

  std::string describe() const override {
    return fmt::format("rotations of certificates: about every {}", to_text(between_));
  }

  void begin(World& world) override {
    episodes_.emplace(world, random_, between_, [](World& its_world, Random& /*random*/) {
      if (its_world.rotate_certificates) its_world.rotate_certificates();
    });
  }

  void end(World& /*world*/) override { episodes_.reset(); }

 private:
  Duration between_;
  Random random_;
  std::optional<Episodes> episodes_;
};

}  // namespace

std::unique_ptr<Fault> draw_rotations(Random random) {
  const Duration between =
      draw_length(random, std::chrono::milliseconds(500), std::chrono::seconds(20));
  return std::make_unique<Rotations>(between, random);
}

}  // namespace berth::sim

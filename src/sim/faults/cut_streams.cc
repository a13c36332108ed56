// Streams break: some after a drawn byte, some at a drawn moment.
// Tested by faults_test.cc.

#include <optional>

#include <fmt/core.h>

#include "sim/faults/registry.h"

namespace berth::sim {
namespace {

struct Cuts {
  Duration between;
  double share;  // Of the streams that are cut after some bytes.
  std::uint64_t bytes_most;
};

class CutStreams final : public Fault {
 public:
  CutStreams(Cuts cuts, Random random) : cuts_(cuts), random_(random) {}

  std::string describe() const override {
    return fmt::format("cut streams: one about every {}, {:.2f} of all within {} bytes",
                       to_text(cuts_.between), cuts_.share, cuts_.bytes_most);
  }

  void begin(World& world) override {
    world.fabric().options.cut = cuts_.share;
    world.fabric().options.cut_bytes_max = cuts_.bytes_most;
    episodes_.emplace(world, random_, cuts_.between, [](World& its_world, Random& random) {
      its_world.fabric().cut_any_stream(random);
    });
  }

  void end(World& world) override {
    episodes_.reset();
    world.fabric().options.cut = 0;
  }

 private:
  Cuts cuts_;
  Random random_;
  std::optional<Episodes> episodes_;
};

}  // namespace

std::unique_ptr<Fault> draw_cut_streams(Random random) {
  const Cuts cuts = {
      .between = draw_length(random, std::chrono::milliseconds(100), std::chrono::seconds(20)),
      .share = random.unit() * 0.5,
      .bytes_most = 1 + random.below(16 * 1024)};
  return std::make_unique<CutStreams>(cuts, random);
}

}  // namespace berth::sim

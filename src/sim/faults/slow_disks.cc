// Disks take their time, syncs most of all.
// Tested by faults_test.cc.

#include <fmt/core.h>

#include "sim/faults/registry.h"

namespace berth::sim {
namespace {

class SlowDisks final : public Fault {
 public:
  explicit SlowDisks(DiskOptions options) : options_(options) {}

  std::string describe() const override {
    return fmt::format("slow disks: read {}, write {}, sync {}", to_text(options_.read_latency),
                       to_text(options_.write_latency), to_text(options_.sync_latency));
  }
  void begin(World& world) override { set(world, options_); }
  void end(World& world) override { set(world, {}); }

 private:
  static void set(World& world, const DiskOptions& latencies) {
    for (Node* node : world.nodes()) {
      node->disk().options.read_latency = latencies.read_latency;
      node->disk().options.write_latency = latencies.write_latency;
      node->disk().options.sync_latency = latencies.sync_latency;
    }
  }

  DiskOptions options_;
};

}  // namespace

std::unique_ptr<Fault> draw_slow_disks(Random random) {
  DiskOptions options;
  options.read_latency =
      draw_length(random, std::chrono::microseconds(1), std::chrono::milliseconds(5));
  options.write_latency =
      draw_length(random, std::chrono::microseconds(1), std::chrono::milliseconds(5));
  options.sync_latency =
      draw_length(random, std::chrono::microseconds(100), std::chrono::seconds(1));
  return std::make_unique<SlowDisks>(options);
}

}  // namespace berth::sim

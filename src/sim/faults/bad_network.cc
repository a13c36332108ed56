// The whole network is slow, lossy, and cuts what is sent into small pieces.
// Tested by faults_test.cc.

#include <fmt/core.h>

#include "sim/faults/registry.h"

namespace berth::sim {
namespace {

class BadNetwork final : public Fault {
 public:
  explicit BadNetwork(NetworkOptions options) : options_(options) {}

  std::string describe() const override {
    return fmt::format("bad network: latency {} to {}, loss {:.2f}, window {}, segments to {}",
                       to_text(options_.latency_min), to_text(options_.latency_max), options_.loss,
                       options_.window, options_.segment_max);
  }
  void begin(World& world) override { set(world, options_); }
  void end(World& world) override { set(world, {}); }

 private:
  // Its own fields only: other faults set the others.
  static void set(World& world, const NetworkOptions& weather) {
    NetworkOptions& options = world.fabric().options;
    options.latency_min = weather.latency_min;
    options.latency_max = weather.latency_max;
    options.loss = weather.loss;
    options.window = weather.window;
    options.segment_max = weather.segment_max;
  }

  NetworkOptions options_;
};

}  // namespace

std::unique_ptr<Fault> draw_bad_network(Random random) {
  NetworkOptions options;
  options.latency_min =
      draw_length(random, std::chrono::microseconds(50), std::chrono::milliseconds(100));
  options.latency_max = draw_length(random, options.latency_min, 20 * options.latency_min);
  options.loss = random.unit() * 0.2;
  options.window = 1 + random.below(64 * 1024);
  options.segment_max = 1 + random.below(4096);
  return std::make_unique<BadNetwork>(options);
}

}  // namespace berth::sim

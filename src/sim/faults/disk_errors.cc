// Reads, writes and syncs fail.
// Tested by faults_test.cc.

#include <fmt/core.h>

#include "sim/faults/registry.h"

namespace berth::sim {
namespace {

class DiskErrors final : public Fault {
 public:
  explicit DiskErrors(DiskOptions options) : options_(options) {}

  std::string describe() const override {
    return fmt::format("disk errors: read {:.4f}, write {:.4f}, sync {:.4f}", options_.read_error,
                       options_.write_error, options_.sync_error);
  }
  void begin(World& world) override { set(world, options_); }
  void end(World& world) override { set(world, {}); }

 private:
  static void set(World& world, const DiskOptions& rates) {
    for (Node* node : world.nodes()) {
      node->disk().options.read_error = rates.read_error;
      node->disk().options.write_error = rates.write_error;
      node->disk().options.sync_error = rates.sync_error;
    }
  }

  DiskOptions options_;
};

}  // namespace

std::unique_ptr<Fault> draw_disk_errors(Random random) {
  DiskOptions options;
  options.read_error = random.unit() * 0.01;
  options.write_error = random.unit() * 0.01;
  options.sync_error = random.unit() * 0.02;
  return std::make_unique<DiskErrors>(options);
}

}  // namespace berth::sim

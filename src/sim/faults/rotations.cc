// Certificates are replaced, as often as in no real fleet.
// Tested by faults_test.cc.

#include <fmt/core.h>

#include "sim/faults/recurring.h"
#include "sim/faults/registry.h"

namespace berth::sim {

std::unique_ptr<Fault> draw_rotations(Random random) {
  const Duration between =
      draw_length(random, std::chrono::milliseconds(500), std::chrono::seconds(20));
  return recurring(random,
                   Recurring{.description = fmt::format("rotations of certificates: about every {}",
                                                        to_text(between)),
                             .between = between,
                             .strike = [](World& world, Random& /*random*/) {
                               if (world.rotate_certificates) world.rotate_certificates();
                             }});
}

}  // namespace berth::sim

// Tested by faults_test.cc.

#include "sim/faults/registry.h"

#include <algorithm>
#include <array>

#include "base/check.h"

namespace berth::sim {
namespace {

constexpr std::array kKinds = {
    FaultKind{"bad-network", &draw_bad_network},
    FaultKind{"clock-errors", &draw_clock_errors},
    FaultKind{"clogs", &draw_clogs},
    FaultKind{"cut-streams", &draw_cut_streams},
    FaultKind{"disk-errors", &draw_disk_errors},
    FaultKind{"full-disks", &draw_full_disks},
    FaultKind{"kills", &draw_kills},
    FaultKind{"partitions", &draw_partitions},
    FaultKind{"pauses", &draw_pauses},
    FaultKind{"power-losses", &draw_power_losses},
    FaultKind{"rotations", &draw_rotations},
    FaultKind{"slow-disks", &draw_slow_disks},
};

}  // namespace

std::span<const FaultKind> fault_kinds() { return kKinds; }

std::vector<std::unique_ptr<Fault>> draw_faults(const Random& random,
                                                const std::vector<std::string>& names) {
  std::vector<std::unique_ptr<Fault>> faults;
  for (const std::string& name : names) {
    const auto kind = std::ranges::find(kKinds, name, &FaultKind::name);
    CHECK(kind != kKinds.end());
    Random own = random.stream("fault " + name);
    if (own.chance(0.5)) faults.push_back(kind->draw(own));
  }
  return faults;
}

}  // namespace berth::sim

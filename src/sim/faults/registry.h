// All kinds of faults. A new one is one file in this folder and one line in registry.cc.

#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/fault.h"

namespace berth::sim {

std::span<const FaultKind> fault_kinds();

// Each of the named kinds with an even chance, so that the seeds differ in what they combine. The
// names must exist.
std::vector<std::unique_ptr<Fault>> draw_faults(const Random& random,
                                                const std::vector<std::string>& names);

std::unique_ptr<Fault> draw_bad_network(Random random);
std::unique_ptr<Fault> draw_clock_errors(Random random);
std::unique_ptr<Fault> draw_clogs(Random random);
std::unique_ptr<Fault> draw_cut_streams(Random random);
std::unique_ptr<Fault> draw_disk_errors(Random random);
std::unique_ptr<Fault> draw_full_disks(Random random);
std::unique_ptr<Fault> draw_kills(Random random);
std::unique_ptr<Fault> draw_partitions(Random random);
std::unique_ptr<Fault> draw_pauses(Random random);
std::unique_ptr<Fault> draw_power_losses(Random random);
std::unique_ptr<Fault> draw_rotations(Random random);
std::unique_ptr<Fault> draw_slow_disks(Random random);

}  // namespace berth::sim

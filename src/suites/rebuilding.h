// Pods are killed, workloads scaled and nodes lost while a real scheduler and the real controller
// of reservations die, lose their watches and come back: no node ever gets more than it has, no two
// pods are on one hold, and in the end every pod has a node and no room is held for nobody.

#pragma once

#include <cstdint>

#include "sim/run.h"

namespace berth::suites {

enum class RebuildingMistake : std::uint8_t {
  None,
  Meddler,      // Somebody binds pods wherever he likes.
  NoScheduler,  // Nobody binds anything.
};

// RebuildingMistake::None must pass; every other one must be found to be wrong.
sim::Suite rebuilding_suite(RebuildingMistake mistake);

}  // namespace berth::suites

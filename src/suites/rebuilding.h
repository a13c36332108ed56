// Pods are killed, workloads scaled and nodes lost while one or two real schedulers and the real
// controller of reservations die, lose their watches and come back: no node ever gets more than it
// has, no two pods are on one hold, and in the end every pod has a node and no room is held for
// nobody.

#pragma once

#include <cstdint>

#include "sim/run.h"

namespace berth::suites {

enum class RebuildingMistake : std::uint8_t {
  None,
  Meddler,      // Somebody binds pods wherever he likes.
  NoScheduler,  // Nobody binds anything.
  Unelected,    // Two schedulers decide, and neither asks whether the other one does.
};

// RebuildingMistake::None must pass; every other one must be found to be wrong.
sim::Suite rebuilding_suite(RebuildingMistake mistake);

}  // namespace berth::suites

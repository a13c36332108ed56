// A hub whose owners, namespaces and certificates change under every fault, and upkeep that keeps
// it in order: nothing is deleted that should stay, nothing stays that should go.

#pragma once

#include <cstdint>

#include "sim/run.h"

namespace berth::suites {

enum class UpkeepingMistake : std::uint8_t {
  None,
  LooseDeletes,  // The hub deletes objects that have changed since the deletion was decided.
  NoUpkeep,      // Nobody does anything.
};

// UpkeepingMistake::None must pass; every other one must be found to be wrong.
sim::Suite upkeeping_suite(UpkeepingMistake mistake);

}  // namespace berth::suites

// A hub whose works change under every fault, a cluster in which others meddle, and one agent or
// two between them, some with wrong clocks; then perhaps an hour without one of them: nothing is
// deleted that should stay, nothing is left that should go.

#pragma once

#include <cstdint>

#include "sim/run.h"

namespace berth::suites {

enum class DeliveringMistake : std::uint8_t {
  None,
  LooseDeletes,   // The cluster deletes objects that have changed since that was decided.
  HastyEviction,  // The agent does not wait for works to come back.
  Unelected,      // Two agents act at the same time.
  NoAgent,        // Nobody does anything.
};

// DeliveringMistake::None must pass; every other one must be found to be wrong.
sim::Suite delivering_suite(DeliveringMistake mistake);

}  // namespace berth::suites

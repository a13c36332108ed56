// Two candidates that decide placements on a hub whose fleet changes, under every fault; and the
// mistakes that must be noticed.

#pragma once

#include <cstdint>

#include "sim/run.h"

namespace berth::suites {

enum class PlacingMistake : std::uint8_t {
  None,
  ExpiryWakesNobody,  // As in the reference: an expired score is noticed by chance.
  LostEvents,         // The hub forgets to tell of some changes.
  Rival,              // Somebody takes back every decision, and it is decided again for ever.
};

// PlacingMistake::None must pass; every other one must be found to be wrong.
sim::Suite placing_suite(PlacingMistake mistake);

}  // namespace berth::suites

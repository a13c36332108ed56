// Two agents that publish the room in one cluster on a hub, under every fault and with calendars
// that are wrong; and the mistakes that must be noticed.

#pragma once

#include <cstdint>

#include "sim/run.h"

namespace berth::suites {

enum class ScoringMistake : std::uint8_t {
  None,
  OwnCalendar,  // Ends of scores are told by the agent's calendar instead of the hub's.
  BlindTrust,   // An agent goes on publishing what it knows when it hears nothing any more.
  LostEvents,   // The cluster forgets to tell of some changes.
  NeverLapses,  // Scores are written with an end far in the future.
};

// ScoringMistake::None must pass; every other one must be found to be wrong.
sim::Suite scoring_suite(ScoringMistake mistake);

}  // namespace berth::suites

// Plays a scenario of src/local/scenario.h in a simulated world: the real hub with registration and
// placement, the real agents of its clusters, and a clock that needs no waiting. Nothing breaks
// but what the scenario breaks.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "local/scenario.h"

namespace berth::suites {

struct Staged {
  std::vector<std::string> told = {};  // Every expectation, as it was judged, in that order.
  int failures = 0;                    // Of these. Each is followed by an explanation.
};

// An error says why it could not begin. A scenario with `seed` always goes the same way.
Result<Staged> stage(const local::Scenario& scenario, std::uint64_t seed);

}  // namespace berth::suites

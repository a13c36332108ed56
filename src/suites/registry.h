// The suites that `berth simulate` runs: Berth's own code in worlds that break.

#pragma once

#include <vector>

#include "sim/run.h"

namespace berth::suites {

std::vector<sim::Suite> all();

}  // namespace berth::suites

// The suites whose transcripts are in the folders beside.

#pragma once

#include "sim/scenario.h"

namespace berth::scenarios {

// Handlers over a fresh world; they own what they work on.
sim::ScenarioHandlers network_suite();
sim::ScenarioHandlers disk_suite();
sim::ScenarioHandlers placement_suite();

}  // namespace berth::scenarios

// Plays a scenario on a local fleet, in real time, from the main thread.

#pragma once

#include <functional>
#include <string>

#include "app/up/local_fleet.h"
#include "base/result.h"
#include "base/time.h"
#include "local/scenario.h"

namespace berth::app {

struct ScenarioRun {
  LocalFleet& fleet;  // Started, with this scenario.
  const local::Scenario& scenario;

  std::function<void(const std::string& line)> tell;
  std::function<std::string(const std::string& placement)> explain;

  // Waits so long; false: somebody wants it to end.
  std::function<bool(Duration)> wait;
};

// To its end, or until somebody ends it. What comes true and what does not is told, the latter with
// its explanation. How many expectations did not come true.
Result<int> play(const ScenarioRun& run);

// The clusters of a fleet for it.
std::vector<FleetCluster> clusters_of(const local::Scenario& scenario);

}  // namespace berth::app

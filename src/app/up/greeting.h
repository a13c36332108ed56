// What `berth up` says when everything is there: where it is, and what to try.

#pragma once

#include <string>
#include <vector>

#include "app/up/local_fleet.h"
#include "base/time.h"

namespace berth::app {

struct Greeting {
  std::string url;
  const std::vector<FleetCluster>& clusters;
  std::string kubeconfig;
  std::string placement;  // To explain.
  std::string log;
  const std::vector<std::string>& delays;  // CLUSTER=LENGTH, simulated.
  Duration took;
};

std::string greeting(const Greeting& about);

}  // namespace berth::app

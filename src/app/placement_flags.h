// The flags that say how Placements are decided: the same for whoever decides and whoever explains.

#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/result.h"
#include "placement/options.h"

namespace berth::app {

struct PlacementFlags {
  std::string missing_scores = {};
  std::vector<std::string> gates = {};
  bool ocm_exact = false;
};

void add_placement_flags(CLI::App& command, PlacementFlags& flags);

Result<placement::Options> placement_options(const PlacementFlags& flags);

}  // namespace berth::app

// berth explain pod NAME [NODE]: why here, why not there, and which hold stands in the way.

#pragma once

#include <optional>
#include <string>

#include "app/hub_flags.h"

namespace berth::app {

struct PodQuestion {
  std::string pod;
  std::optional<std::string> node = std::nullopt;
};

// Prints the answer; the exit code.
int explain_pod(const HubFlags& flags, const PodQuestion& question);

}  // namespace berth::app

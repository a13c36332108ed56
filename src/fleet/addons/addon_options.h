// How the add-on manager differs from OCM's, where that is a choice.

#pragma once

#include <chrono>

#include "base/time.h"

namespace berth::fleet {

struct AddOnOptions {
  // How long a placement may be missing or undecided before that uninstalls anything.
  Duration placement_grace = std::chrono::minutes(10);
};

inline AddOnOptions ocm_exact_add_ons() { return {.placement_grace = Duration::zero()}; }

}  // namespace berth::fleet

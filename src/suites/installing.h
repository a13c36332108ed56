// An add-on on the clusters of a placement that comes and goes, whose configuration and template
// change while the real add-on manager dies at its own writes: it is never taken from a cluster
// that keeps wanting it, its changes spread as fast as they may and no faster, and it leaves
// nothing behind where it is not wanted.

#pragma once

#include <cstdint>

#include "sim/run.h"

namespace berth::suites {

enum class InstallingMistake : std::uint8_t {
  None,
  Hasty,      // A placement that is missing for a moment uninstalls.
  Reckless,   // A change is handed to more clusters at once than may have it.
  NoManager,  // Nobody does anything.
};

// InstallingMistake::None must pass; every other one must be found to be wrong.
sim::Suite installing_suite(InstallingMistake mistake);

}  // namespace berth::suites

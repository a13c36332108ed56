// Hosted clusters come and go on a few hosts while the real hosting controller, of which two may be
// at work at a time, dies at its own writes, hosts fall silent and reports are old: no cluster is
// ever on two hosts, not even if two requests ask for it, no host gets more than it may have,
// nothing moves that was delivered, and in the end every claim has its request and every request
// its cluster.

#pragma once

#include <cstdint>

#include "sim/run.h"

namespace berth::suites {

enum class HostingMistake : std::uint8_t {
  None,
  HastyAgent,    // A host says that a cluster is gone that is not.
  Meddler,       // Somebody gives delivered requests another host.
  NoController,  // Nobody does anything.
};

// HostingMistake::None must pass; every other one must be found to be wrong.
sim::Suite hosting_suite(HostingMistake mistake);

}  // namespace berth::suites

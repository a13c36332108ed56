// Clusters that join a real hub, are denied, leave and come back, under every fault and through
// long outages: everybody gets his own certificate and no other, who is accepted becomes available,
// who left leaves nothing behind, and nobody loses what is his.

#pragma once

#include <cstdint>

#include "sim/run.h"

namespace berth::suites {

enum class JoiningMistake : std::uint8_t {
  None,
  LeavesBehind,    // The hub keeps the namespaces and leases of clusters that left.
  TrustsPrefixes,  // Somebody approves what cluster1 asks for cluster10.
  DeletesTooMuch,  // Somebody empties the namespace of a cluster that is only late.
  NoController,    // Nobody does anything on the hub.
};

// JoiningMistake::None must pass; every other one must be found to be wrong.
sim::Suite joining_suite(JoiningMistake mistake);

}  // namespace berth::suites

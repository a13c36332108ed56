// What a hub has to look like when everything has settled, for one cluster: the error says what is
// missing.

#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "suites/simulated_hub.h"

namespace berth::suites {

// Has a namespace that people made before, with things of their own in it.
inline constexpr std::string_view kForeign = "cluster2";

// Accepted, available, not tainted, and with all its rights.
Status has_joined(const SimulatedHub& hub, const std::string& name);

// Without rights, if it is known at all.
Status is_denied(const SimulatedHub& hub, const std::string& name);

// Tainted as unreachable.
Status is_known_lost(const SimulatedHub& hub, const std::string& name);

// Nothing of it is there, also nothing that nobody thought of.
Status has_left(const SimulatedHub& hub, const std::string& name);

}  // namespace berth::suites

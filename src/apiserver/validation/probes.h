// How a container is asked whether it works, and told that it starts and stops.

#pragma once

#include <cstdint>
#include <optional>

#include "apiserver/validation/complaints.h"
#include "apiserver/validation/place.h"

namespace berth::apiserver {

// The probes and the lifecycle of a container. `grace` is the pod's.
void check_probes(const Place& container, std::optional<std::int64_t> grace,
                  Complaints& complaints);

}  // namespace berth::apiserver

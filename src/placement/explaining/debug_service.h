// OCM's debug endpoint as a route of the operations endpoint.

#pragma once

#include <functional>

#include "control/operations_service.h"
#include "placement/explaining/debug_request.h"

namespace berth::placement {

// For Operations::add_route(kDebugPath, ...). `source` is asked at every request. The route checks
// no rights: it belongs on an address that only operators reach, or behind a check of its own.
control::Route debug_route(std::function<DebugSource()> source);

}  // namespace berth::placement

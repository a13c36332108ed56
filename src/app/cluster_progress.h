// What a cluster on the hub waits for while it is taken in or let go, in words for people.

#pragma once

#include <string>

#include "app/calls.h"
#include "json/value.h"

namespace berth::app {

inline constexpr const char* kAvailableNow = "available";

// Of a ManagedCluster that is accepted; kAvailableNow if it waits for nothing.
std::string progress_of_joining(Calls& hub, const json::Value& cluster);

// Of a ManagedCluster that is being deleted.
std::string progress_of_leaving(Calls& hub, const json::Value& cluster);

}  // namespace berth::app

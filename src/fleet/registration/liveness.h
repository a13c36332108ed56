// Whether a cluster is alive, as the hub sees it: by the age of its lease, by its clock, and what
// follows for its taints and add-ons.

#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "base/time.h"
#include "json/value.h"

namespace berth::fleet {

// How long a lease is good after its renewal: five times what the cluster's spec says, or 5 min.
Duration lease_grace(const json::Value& cluster);
Duration lease_duration(const json::Value& cluster);  // A fifth of that.

// The lease that the hub makes and the agent renews.
json::Value new_lease(std::string_view cluster, Time now);
std::optional<Time> renew_time(const json::Value& lease);

// When the lease ends; a lease that was never renewed has ended long ago.
Time lease_end(const json::Value& cluster, const json::Value& lease);

// The cluster with the condition Available=Unknown, for a lease that ended. Only its agent sets it
// back.
json::Value with_unknown_availability(json::Value cluster, Time now);

// The cluster with what its lease, as it was just renewed, says about its clock. The annotation
// registration.open-cluster-management.io/skip-clock-sync-check: "true" counts every clock as
// right.
json::Value with_clock_check(json::Value cluster, const json::Value& lease, Time now);

// The cluster with the taint that goes with its availability: unreachable when nothing is known,
// unavailable when it is known to be down. Other taints keep their place; the time is stamped by
// whoever admits the write.
json::Value with_availability_taints(json::Value cluster);

// The cluster with one label feature.open-cluster-management.io/addon-NAME for each of its
// ManagedClusterAddOns: available, unhealthy or unreachable. Nothing before its agent has reported.
json::Value with_addon_labels(json::Value cluster, std::span<const json::Value* const> addons);

// An add-on of a cluster whose availability is unknown: neither is the add-on's.
json::Value with_availability_of(const json::Value& cluster, json::Value addon, Time now);

}  // namespace berth::fleet

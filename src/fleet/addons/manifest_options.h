// manifestConfigs of a work: what is read back of an add-on's workloads, and how single manifests
// are applied.

#pragma once

#include <span>

#include "fleet/addons/config.h"
#include "json/value.h"

namespace berth::fleet {

// Reads the well-known status of one object back.
json::Value well_known_option(const ConfigKind& resource, const ObjectName& object);

// The well-known status of every workload, and what the template asks for; both about the same
// object become one.
json::Value manifest_options(std::span<const json::Value> manifests,
                             std::span<const json::Value> of_template);

// Whether they differ in nothing but what the server fills in.
bool are_same_options(const json::Value& stored, const json::Value& wanted);

}  // namespace berth::fleet

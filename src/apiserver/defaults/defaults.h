// The defaults of built-in kinds that no schema tells: what Kubernetes fills in when an object
// leaves it out.

#pragma once

#include <string_view>

#include "json/value.h"

namespace berth::apiserver {

// Pure and idempotent; made for every object that is created or changed, before it is validated.
// A kind without defaults comes back as it is.
//
// Members that Kubernetes writes even when they say nothing ("status": {}, a container's
// "resources": {}) are filled in too, except nulls. What admission does (tolerations, priorities)
// and what is allotted (addresses and ports of services, selectors of jobs) is not done here.
json::Value with_defaults(std::string_view group, std::string_view kind, json::Value object);

// Secrets may be written in plain text: moves stringData into data, as base64, over what is there.
json::Value with_string_data(json::Value secret);

}  // namespace berth::apiserver

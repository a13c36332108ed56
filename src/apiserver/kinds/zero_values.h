// What an object of a built-in type has even when nobody wrote anything into it: Go's structs
// cannot leave out members that are structs themselves.

#pragma once

#include <string_view>

#include "json/value.h"

namespace berth::apiserver {

// By the name of the type ("io.k8s.api.apps.v1.Deployment"): {"metadata":{},"spec":{"strategy":
// {},"template":{...}},"status":{}}. An empty object for types that are not built in.
const json::Value& zero_value(std::string_view type_name);

}  // namespace berth::apiserver

// What Kubernetes refuses in an openAPIV3Schema besides what is not structural: keywords that it
// does not support, and extensions that contradict each other.

#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "json/value.h"

namespace berth::apiserver {

// `path` is the place of the schema. Whether rules compile is not looked at here.
std::vector<Cause> check_openapi(const json::Value& schema, const std::string& path);

}  // namespace berth::apiserver

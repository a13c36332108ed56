// Whether an openAPIV3Schema is structural: every place has one type, and what allOf, anyOf, oneOf
// and not add is about values only. Only then do pruning and defaulting have a meaning.

#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "json/value.h"

namespace berth::apiserver {

// `path` is the place of the schema. Errors are sorted by their text.
std::vector<Cause> check_structural(const json::Value& schema, const std::string& path);

}  // namespace berth::apiserver

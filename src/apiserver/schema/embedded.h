// x-kubernetes-embedded-resource: parts of an object that are whole objects themselves must say
// what they are, and their metadata must be sound.

#pragma once

#include <vector>

#include "apiserver/schema/schema.h"
#include "base/error.h"
#include "json/value.h"

namespace berth::apiserver {

// Does not look at the object itself, whose metadata has stricter rules.
std::vector<Cause> validate_embedded(const Schema& schema, const json::Value& value);

}  // namespace berth::apiserver

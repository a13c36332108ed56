// x-kubernetes-list-type: elements of a set differ, elements of a map differ in their keys.

#pragma once

#include <vector>

#include "apiserver/schema/schema.h"
#include "base/error.h"
#include "json/value.h"

namespace berth::apiserver {

// The first repetition of each element is complained about.
std::vector<Cause> validate_lists(const Schema& schema, const json::Value& value);

}  // namespace berth::apiserver

// How deep a Value is nested, for whoever puts one into another.

#pragma once

#include <cstddef>

#include "json/value.h"

namespace berth::json {

// 0 for a scalar, 1 for an array of scalars or an empty object, and so on.
std::size_t depth_of(const Value& value);

}  // namespace berth::json

// One value of a custom resource as a cell of a column that its definition declares.

#pragma once

#include <string_view>

#include "base/time.h"
#include "json/value.h"

namespace berth::apiserver {

// `type` is the column's: string, integer, number, boolean or date. A value that does not fit the
// type is a null cell; a string column takes everything, objects and arrays as JSON.
json::Value custom_cell(std::string_view type, const json::Value& value, Time now);

}  // namespace berth::apiserver

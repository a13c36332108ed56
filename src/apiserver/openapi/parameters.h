// The parameters of operations in OpenAPI documents.

#pragma once

#include <string_view>
#include <vector>

#include "json/value.h"

namespace berth::apiserver {

// {"$ref": "#/components/schemas/NAME"}
json::Value type_reference(std::string_view type_name);

// What may stand in the query of an action: "list", "post", "put", "patch", "delete",
// "deletecollection". An array; empty for others.
json::Value query_parameters(std::string_view action);

// What all operations of a path have: the names in it, and how to print.
json::Value path_parameters(const std::vector<std::string_view>& in_path);

}  // namespace berth::apiserver

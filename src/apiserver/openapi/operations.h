// The paths of a resource in an OpenAPI document, with their operations. kubectl reads from them
// what a server can do: whether it validates fields and understands strategic merge patches.

#pragma once

#include "apiserver/openapi/type_names.h"
#include "apiserver/resource.h"
#include "json/value.h"

namespace berth::apiserver {

// Path -> path item, an object.
json::Value openapi_paths(const Resource& resource, const TypeNames& names);

}  // namespace berth::apiserver

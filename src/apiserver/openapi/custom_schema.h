// The schema of a custom kind as it is published: what its definition says, and what every object
// has besides.

#pragma once

#include "apiserver/resource.h"
#include "json/value.h"

namespace berth::apiserver {

// `raw` is the openAPIV3Schema of the definition's version; null when it has none.
json::Value published_object(const Resource& resource, const json::Value* raw);

// Of lists of such objects.
json::Value published_list(const Resource& resource);

}  // namespace berth::apiserver

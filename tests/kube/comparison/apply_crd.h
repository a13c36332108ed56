// The custom resource on which apply is compared: one field of every kind of list and map.

#pragma once

#include "json/value.h"

namespace berth::kube {

// The CustomResourceDefinition things.compare.berth.dev with versions v1 and v2 of one schema.
json::Value thing_definition();

// The schema of its versions, as in the definition.
json::Value thing_schema();

}  // namespace berth::kube

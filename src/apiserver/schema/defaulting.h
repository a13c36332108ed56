// Puts in what an object leaves out and its schema has a default for.

#pragma once

#include "apiserver/schema/schema.h"
#include "json/value.h"

namespace berth::apiserver {

// A member that is missing, or null where null is not allowed, becomes its default; the defaults of
// its own members are put in after that. The object itself must be there. For pruned objects.
json::Value with_defaults(const Schema& schema, json::Value value);

}  // namespace berth::apiserver

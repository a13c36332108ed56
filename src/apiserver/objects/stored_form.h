// Between the version that a client speaks and the one that the store keeps.

#pragma once

#include "apiserver/refusal.h"
#include "apiserver/resource.h"
#include "json/value.h"
#include "store/entry.h"

namespace berth::apiserver {

// An object of the store in the resource's version.
json::Value from_stored(const Resource& resource, json::Value object);

// The other way, as text. Refuses what is larger than an object may be.
Attempt<store::Draft> stored_draft(const Resource& resource, const json::Value& object);

}  // namespace berth::apiserver

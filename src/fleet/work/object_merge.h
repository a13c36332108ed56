// How what a manifest says about labels, annotations and owners joins what an object has: what
// others put there stays, a key that ends in '-' takes one away.

#pragma once

#include <optional>

#include "json/value.h"

namespace berth::fleet {

// The owner that an object should have, or should no longer have.
struct OwnerWish {
  json::Value reference;  // apiVersion, kind, name, uid.
  bool owned = true;
};

// To the AppliedManifestWork.
json::Value owner_reference(const json::Value& applied_work);

// Each takes the object's part, possibly null, and answers the new one; nothing when it fits.
std::optional<json::Value> merged_map(const json::Value& existing, const json::Value& required);
std::optional<json::Value> merged_owners(const json::Value& existing, const OwnerWish& owner);

// The object with the manifest's labels and annotations and with the owner; nothing when it has
// all of that.
std::optional<json::Value> merged_metadata(const json::Value& live, const json::Value& manifest,
                                           const OwnerWish& owner);

// The manifest as it is created: without keys that only take away, and with no owner but ours.
json::Value as_created(json::Value manifest, const OwnerWish& owner);

// A merge patch of the owners for exactly the object as it was read; nothing when they fit.
std::optional<json::Value> owners_patch(const json::Value& live, const OwnerWish& owner);

}  // namespace berth::fleet

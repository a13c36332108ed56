// What to do about one manifest, given the object that is there.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "base/result.h"
#include "fleet/work/manifest_work.h"
#include "fleet/work/object_merge.h"
#include "json/value.h"

namespace berth::fleet {

struct Nothing {};
struct CreateObject {
  json::Value object;
};
struct ReplaceObject {  // For exactly the version that was read.
  json::Value object;
};
struct PatchOwners {  // A merge patch, for exactly the version that was read.
  json::Value patch;
};
struct ApplyObject {
  json::Value object;
  std::string field_manager;
  bool force = false;
};
using Deed = std::variant<Nothing, CreateObject, ReplaceObject, PatchOwners, ApplyObject>;

struct Wish {
  const json::Value& manifest;
  const UpdateStrategy& update;
  OwnerWish owner;
};

// What a server made of our last write of the same wish: as long as the object still has this
// content, there is nothing to do, however much the server added to what the manifest says.
using Fingerprint = std::uint64_t;
Fingerprint fingerprint(const json::Value& live, UpdateType type);

// What is no object with a kind, a version and a name cannot be applied.
Status check_manifest(const json::Value& manifest);

// `live` is null when there is no such object. The manifest has passed the check.
Deed deed_for(const Wish& wish, const json::Value* live,
              std::optional<Fingerprint> settled = std::nullopt);

}  // namespace berth::fleet

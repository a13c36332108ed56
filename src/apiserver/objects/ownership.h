// Ownership: metadata.managedFields on every write, and server-side apply, which lives on it.

#pragma once

#include <string>
#include <string_view>

#include "apiserver/refusal.h"
#include "apiserver/resource.h"
#include "base/time.h"
#include "json/value.h"

namespace berth::apiserver {

struct Writer {
  std::string manager;
  std::string subresource = {};
  Time now;
};

// The object with the fields that changed written down as the writer's. `live` is null for a new
// object.
json::Value with_owner(const Resource& resource, const json::Value* live, json::Value object,
                       const Writer& writer);

enum class OnConflict : bool { Refuse, Force };

// What the object becomes when the writer applies the configuration.
Attempt<json::Value> applied(const Resource& resource, const json::Value* live,
                             const json::Value& configuration, const Writer& writer,
                             OnConflict on_conflict);

}  // namespace berth::apiserver

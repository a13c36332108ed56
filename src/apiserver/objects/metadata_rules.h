// What the server does to metadata on every write, and what it refuses there.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/resource.h"
#include "base/error.h"
#include "base/random.h"
#include "base/time.h"
#include "json/value.h"

namespace berth::apiserver {

enum class NameRule : std::uint8_t {
  Subdomain,    // Most kinds.
  Label,        // Namespaces.
  ServiceName,  // Services.
  PathSegment,  // RBAC: anything that can stand in a path.
};

// What only the server says about a new object: uid, time of creation, generation 1. Whatever the
// client said there is dropped.
struct Birth {
  Time now;
  std::string uid;
};
void stamp_new(json::Value& object, const Birth& birth);

// The base, cut to what fits, and five characters that form no words.
std::string generate_name(std::string_view base, Random& random);

// What an update cannot change stays as it was: uid, creation, deletion and generation.
void carry_over_metadata(json::Value& object, const json::Value& old);

// Empty when all is well.
std::vector<Cause> check_metadata(const json::Value& object, NameRule rule, Scope scope);
std::vector<Cause> check_metadata_update(const json::Value& object, const json::Value& old);

// Labels, owners and the like that are there but empty are the same as none, and are not kept.
void drop_empty_metadata(json::Value& object);

// Two owner references that say the same: the second goes, and the client is told.
std::vector<std::string> drop_repeated_owners(json::Value& object);

}  // namespace berth::apiserver

// Changing the members of an object in place: looking each up by its name would take quadratic
// time in objects with very many.

#pragma once

#include <span>

#include "json/value.h"

namespace berth::apiserver {

// Valid until a member is added or taken out. Names must not be changed.
inline std::span<json::Member> members_of(json::Value& object) {
  const std::span<const json::Member> members = object.members();
  // The block belongs to the Value, which the caller may change.
  return {const_cast<json::Member*>(members.data()), members.size()};
}

}  // namespace berth::apiserver

// What to do about an object that a work no longer wants.

#pragma once

#include <cstdint>
#include <string_view>

#include "json/value.h"

namespace berth::fleet {

enum class Release : std::uint8_t {
  Forget,     // It is not ours.
  DropOwner,  // Other works own it too.
  Await,      // It is on its way.
  Delete,
};

// `owner_uid` is that of the AppliedManifestWork in whose record the object is.
Release release_of(const json::Value& live, std::string_view owner_uid);

}  // namespace berth::fleet

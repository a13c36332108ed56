// What becomes of an object whose owners are gone or going: kept, relieved of references, or
// deleted.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "json/value.h"

namespace berth::upkeep {

// What the hub itself said about one owner.
enum class OwnerState : std::uint8_t {
  Solid,     // It exists, under that uid.
  Absent,    // It does not.
  Awaiting,  // It exists until its dependents are gone.
  Unknown,   // It cannot be asked for: its kind is not served, or its scope cannot own this.
};

enum class Cascade : std::uint8_t { Background, Foreground, Orphan };

// What is below the object itself.
enum class Below : std::uint8_t { Nothing, Dependents, DependentsThatAwait };

struct Verdict {
  std::optional<json::Value> after = std::nullopt;  // The object with other references.
  std::optional<Cascade> deletion = std::nullopt;   // It goes, like this.
};

// `owners` are the states of its ownerReferences, in their order.
Verdict judge(const json::Value& object, std::span<const OwnerState> owners, Below below);

json::Value without_finalizer(json::Value object, std::string_view finalizer);
json::Value without_owner(json::Value object, std::string_view uid);

}  // namespace berth::upkeep

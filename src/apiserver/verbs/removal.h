// How an object goes: at once, or marked and kept until its finalizers and its grace allow it.

#pragma once

#include <cstdint>
#include <optional>

#include "apiserver/requests/options.h"
#include "apiserver/verbs/call.h"
#include "apiserver/verbs/writing.h"

namespace berth::apiserver {

inline constexpr std::string_view kOrphanFinalizer = "orphan";
inline constexpr std::string_view kForegroundFinalizer = "foregroundDeletion";

struct Removal {
  enum class Kind : std::uint8_t {
    AtOnce,
    Marked,   // It stays, and says that it is being deleted.
    Already,  // It was marked before; nothing is to be written.
  };
  Kind kind = Kind::AtOnce;
  json::Value object = {};  // As it is to be kept, if it is.
};

// The object as the store has it.
Removal plan_removal(const Resource& resource, const json::Value& object,
                     const DeleteOptions& options, Time now);

// Marked, and nothing holds it any more.
bool is_ready_to_go(const Resource& resource, const json::Value& object);

Attempt<void> check_delete_preconditions(const Resource& resource, const json::Value& object,
                                         const DeleteOptions& options);

Attempt<Outcome> delete_object(const Call& call);
Attempt<Outcome> delete_collection(const Call& call);

// delete_object() for whoever has the options already, such as an eviction.
Attempt<Outcome> remove_object(const Call& call, const Current& current,
                               const DeleteOptions& options);

}  // namespace berth::apiserver

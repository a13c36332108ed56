// Patches that are safe to send: they hold for the object that was read, or they fail.

#pragma once

#include <optional>

#include "base/result.h"
#include "json/value.h"

namespace berth::client {

enum class Precondition {
  Uid,            // The same object, in whatever state: for fields that only we write.
  UidAndVersion,  // Exactly the state that was read.
};

// The merge patch that turns `before`, as it was read, into `after`. The server answers 409 when
// the version has moved on and 422 when it is another object (client::is_stale_write knows both).
// nullopt when nothing would change: a patch that changes nothing is not worth a request. Fails
// when `before` lacks the uid or version that the precondition takes.
Result<std::optional<json::Value>> merge_patch_for(const json::Value& before,
                                                   const json::Value& after,
                                                   Precondition precondition);

}  // namespace berth::client

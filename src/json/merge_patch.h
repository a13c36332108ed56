// JSON Merge Patch (RFC 7386): a patch looks like what it changes; null removes a member.

#pragma once

#include "json/value.h"

namespace berth::json {

// The result is never deeper than the deeper of both.
Value apply_merge_patch(Value target, const Value& patch);

// The smallest patch that turns `from` into `to`: apply_merge_patch(from, it) == to, unless a
// member of `to`, outside arrays, is null; no merge patch can make those. {} if nothing differs
// between objects.
Value create_merge_patch(const Value& from, const Value& to);

}  // namespace berth::json

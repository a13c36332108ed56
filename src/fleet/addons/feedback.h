// What a work reads back from the cluster about one of its objects.

#pragma once

#include <string_view>

#include "json/value.h"

namespace berth::fleet {

// The entry of status.resourceStatus.manifests about that resourceIdentifier; null without one.
const json::Value* find_manifest_status(const json::Value& work, const json::Value& target);

// {"type", "integer" or "string" ...} of the value with that name; null while it is not known.
const json::Value* find_feedback(const json::Value& work, const json::Value& target,
                                 std::string_view value);

}  // namespace berth::fleet

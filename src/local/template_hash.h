// The short name of a pod template, as labels and names of ReplicaSets carry it.

#pragma once

#include <string>
#include <string_view>

#include "json/value.h"

namespace berth::local {

inline constexpr std::string_view kTemplateHash = "pod-template-hash";

// Equal templates have equal hashes, whatever the order of their members. Ten letters and digits of
// which no word can be made.
std::string template_hash(const json::Value& pattern);

// Without the label itself.
json::Value without_hash(json::Value pattern);

}  // namespace berth::local

// Objects as the store keeps them: one line of JSON, members of the head in a fixed order, so that
// versions can be told and changed without parsing.

#pragma once

#include <string>
#include <string_view>

#include "json/value.h"
#include "store/entry.h"

namespace berth::apiserver {

// Whatever resourceVersion the object has is left out: the commit knows the right one. The object
// must have kind, apiVersion and metadata.
store::Draft draft_of(const json::Value& object);

// The stored text with another apiVersion; the others of its resource differ in nothing else.
std::string with_api_version(std::string_view text, std::string_view api_version);
std::string_view api_version_of(std::string_view text);  // Of a stored text.

}  // namespace berth::apiserver

// How often an image is pulled when nobody says so: by its tag.

#pragma once

#include <string_view>

#include "json/value.h"

namespace berth::apiserver {

// "latest" also when a reference names neither a tag nor a digest.
std::string_view image_tag(std::string_view reference);

// "Always" for the tag latest, else "IfNotPresent". Null is no reference.
std::string_view default_pull_policy(const json::Value* reference);

}  // namespace berth::apiserver

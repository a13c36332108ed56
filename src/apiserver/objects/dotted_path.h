// Places in objects as people write them: "spec.replicas".

#pragma once

#include <string_view>

#include "json/value.h"

namespace berth::apiserver {

const json::Value* find_dotted(const json::Value& object, std::string_view path);

// Objects on the way are made where they are missing.
void set_dotted(json::Value& object, std::string_view path, json::Value value);

}  // namespace berth::apiserver

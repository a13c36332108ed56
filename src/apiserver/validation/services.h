// Services: their ports and types. Addresses are not handed out here.

#pragma once

#include <vector>

#include "base/error.h"
#include "json/value.h"

namespace berth::apiserver {

std::vector<Cause> validate_service(const json::Value& object, const json::Value* old);

}  // namespace berth::apiserver

// Keys of ConfigMaps and Secrets, wherever they are written or referred to.

#pragma once

#include <string_view>

#include "api/names.h"

namespace berth::apiserver {

api::Problems config_key_problems(std::string_view key);

}  // namespace berth::apiserver

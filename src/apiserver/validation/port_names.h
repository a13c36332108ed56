// What a port may be called, and how large its number may be.

#pragma once

#include <cstdint>
#include <string_view>

#include "api/names.h"

namespace berth::apiserver {

inline constexpr std::string_view kPortRange = "must be between 1 and 65535, inclusive";
constexpr bool is_port(std::int64_t number) { return number >= 1 && number <= 65535; }

api::Problems port_name_problems(std::string_view name);

}  // namespace berth::apiserver

// The formats that Kubernetes' CEL library knows by name, each with its check.

#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "api/names.h"

namespace berth::api {

struct NamedFormat {
  std::string_view name;
  Problems (*check)(std::string_view text);
};

inline constexpr std::size_t kNamedFormatCount = 13;

std::span<const NamedFormat, kNamedFormatCount> named_formats();

// nullptr when there is none of that name.
const NamedFormat* find_format(std::string_view name);

}  // namespace berth::api

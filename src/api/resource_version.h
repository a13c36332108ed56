// Which of two resourceVersions of the same resource is newer.

#pragma once

#include <compare>
#include <string_view>

#include "base/result.h"

namespace berth::api {

// Both must be decimal numbers, of any size, without a leading zero; otherwise they are opaque and
// there is an error.
Result<std::strong_ordering> compare_resource_versions(std::string_view a, std::string_view b);

}  // namespace berth::api

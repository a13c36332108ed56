// The order of resourceVersions, as far as one may ask for it.

#pragma once

#include <compare>
#include <optional>
#include <string_view>

namespace berth::client {

// Of two versions of the same resource type. They are decimal numbers of any size; nullopt when one
// is something else, since then only equality means anything.
std::optional<std::strong_ordering> compare_versions(std::string_view a, std::string_view b);

bool is_older(std::string_view a, std::string_view b);  // False when that cannot be said.

}  // namespace berth::client

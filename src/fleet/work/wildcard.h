// Names with '*' in them, which stands for any text.

#pragma once

#include <string_view>

namespace berth::fleet {

// In time of at most the product of both lengths.
bool matches_wildcard(std::string_view pattern, std::string_view text);

}  // namespace berth::fleet

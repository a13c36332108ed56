// The escapes inside JSON strings.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace berth::json {

struct Unescaped {
  std::string text = {};
  std::optional<std::size_t> bad_escape = std::nullopt;  // Offset of the first one that is none.
};

// `inner` is what stands between the quotes. Half of a surrogate pair is a bad escape.
Unescaped unescape(std::string_view inner);

// The code point as UTF-8; must be at most 0x10ffff and no surrogate.
std::string utf8_of(char32_t code_point);

}  // namespace berth::json

// Strings by code points, which is how CEL counts in them.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace berth::cel {

// The bytes at which each code point begins, and at the end the size of the text.
std::vector<std::size_t> code_point_offsets(std::string_view text);

// Where `wanted` begins in `text` at code point `from` or later; -1 when nowhere.
std::int64_t find_forward(std::string_view text, std::string_view wanted, std::int64_t from);

// The last place at or before code point `from`.
std::int64_t find_backward(std::string_view text, std::string_view wanted, std::int64_t from);

// Without white space at either end, as Unicode defines it.
std::string_view trim_unicode(std::string_view text);

}  // namespace berth::cel

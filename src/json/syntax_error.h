// Says where and why a text is not JSON.

#pragma once

#include <cstddef>
#include <string_view>

#include "base/error.h"

namespace berth::json {

// "line 2, column 7: expected WHAT, found 'x'". Lines and bytes of a line are counted from 1.
Error expected(std::string_view what, std::string_view text, std::size_t offset);

// "line 2, column 7: PROBLEM".
Error syntax_error(std::string_view problem, std::string_view text, std::size_t offset);

// The first thing that keeps a text from being cut into tokens: a byte that is not UTF-8, a string
// without end, a control character in a string. A text that has none of these is called empty.
Error lexical_error(std::string_view text);

}  // namespace berth::json

// Percent-encoding of URL parts (RFC 3986), with errors instead of guesses.

#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace berth::http {

// Everything but letters, digits and "-._~" becomes %XX: safe as one path segment, query name or
// query value.
std::string percent_encode(std::string_view text);

// "%41" is "A". An error names the place of a '%' that two hexadecimal digits do not follow.
Result<std::string> percent_decode(std::string_view text);

}  // namespace berth::http

// The token with which a client asks for the next page of a list.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace berth::apiserver {

struct ContinueToken {
  std::int64_t revision = 0;  // Of the list's first page; -1: whatever is newest.
  std::string start = {};     // The first name that the page may have, inside the table.
};

// `prefix` is what all names of the list begin with; a token cannot lead out of it.
std::string encode_continue(const ContinueToken& token, std::string_view prefix);
Result<ContinueToken> decode_continue(std::string_view text, std::string_view prefix);

}  // namespace berth::apiserver

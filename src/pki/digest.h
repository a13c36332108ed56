// Hashes and comparisons for secrets.

#pragma once

#include <string>
#include <string_view>

namespace berth::pki {

std::string sha256(std::string_view bytes);  // 32 bytes.

// Takes as long for a near miss as for a far one. Only the lengths may be learned.
bool equal_in_constant_time(std::string_view a, std::string_view b);

// URL-safe base64 without padding (RFC 4648, section 5), as tokens use it.
std::string encode_base64url(std::string_view bytes);

}  // namespace berth::pki

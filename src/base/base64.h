// Base64 (RFC 4648, section 4), as Kubernetes writes bytes into JSON and YAML.

#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace berth {

std::string encode_base64(std::string_view bytes);

// Line breaks are skipped, as Go's decoder does; padding is required. An error says where the first
// wrong character is.
Result<std::string> decode_base64(std::string_view text);

}  // namespace berth

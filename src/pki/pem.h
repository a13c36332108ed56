// PEM: bytes in a text envelope (RFC 7468), as certificates, keys and requests travel.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace berth::pki {

inline constexpr std::size_t kPemSizeMax = std::size_t{1} << 20;

struct PemBlock {
  std::string label;  // "CERTIFICATE"
  std::string bytes;
  bool has_headers = false;  // As encrypted keys of old have. Skipped.

  bool operator==(const PemBlock&) const = default;
};

// All blocks, in order; text around them is skipped, as everybody does. Fails on a block without an
// end, with another label at its end, or with wrong base64, and beyond kPemSizeMax.
Result<std::vector<PemBlock>> parse_pem(std::string_view text);

std::string encode_pem(std::string_view label, std::string_view bytes);

}  // namespace berth::pki

// CRC-32C (Castagnoli), as storage formats use it.

#pragma once

#include <cstdint>
#include <string_view>

namespace berth::store {

// Chainable: pass the sum of what came before as `start`.
std::uint32_t crc32c(std::string_view bytes, std::uint32_t start = 0);

}  // namespace berth::store

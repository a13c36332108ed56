// A stable 64-bit hash (FNV-1a): the same on every machine, so it may be stored, compared and
// traced.

#pragma once

#include <cstdint>
#include <string_view>

namespace berth {

inline constexpr std::uint64_t kHashStart = 0xcbf29ce484222325;

// Chainable: pass the hash of what came before as `start`. Not for tables that attackers can fill.
constexpr std::uint64_t hash64(std::string_view bytes, std::uint64_t start = kHashStart) {
  std::uint64_t hash = start;
  for (const char byte : bytes) {
    hash ^= static_cast<unsigned char>(byte);
    hash *= 0x100000001b3;
  }
  return hash;
}

}  // namespace berth

#include "env/random.h"

#include <array>
#include <bit>

#include <fmt/core.h>

namespace berth::env {

std::uint64_t new_seed(Entropy& entropy) {
  std::array<char, 8> bytes;
  entropy.fill(bytes);
  return std::bit_cast<std::uint64_t>(bytes);
}

std::string new_uuid(Entropy& entropy) {
  std::array<char, 16> bytes;
  entropy.fill(bytes);
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    auto byte = static_cast<unsigned char>(bytes[i]);
    if (i == 6) byte = static_cast<unsigned char>((byte & 0x0f) | 0x40);  // Version 4.
    if (i == 8) byte = static_cast<unsigned char>((byte & 0x3f) | 0x80);  // The RFC's variant.
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", byte);
  }
  return text;
}

}  // namespace berth::env

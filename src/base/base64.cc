#include "base/base64.h"

#include <array>
#include <cstdint>

#include <fmt/format.h>

namespace berth {
namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t kNone = 0xff;

constexpr std::array<std::uint8_t, 256> make_values() {
  std::array<std::uint8_t, 256> values{};
  values.fill(kNone);
  for (std::size_t i = 0; i < kDigits.size(); ++i) {
    values[static_cast<unsigned char>(kDigits[i])] = static_cast<std::uint8_t>(i);
  }
  return values;
}
constexpr auto kValues = make_values();

std::unexpected<Error> bad(std::size_t at) {
  return failure(Code::BadRequest, fmt::format("base64: bad character at offset {}", at));
}

}  // namespace

std::string encode_base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::string_view group = bytes.substr(at, 3);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      bits = bits << 8 | (i < group.size() ? static_cast<unsigned char>(group[i]) : 0u);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      text += i <= group.size() ? kDigits[bits >> (18 - 6 * i) & 63] : '=';
    }
  }
  return text;
}

Result<std::string> decode_base64(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  int digits = 0;
  int padding = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char letter = text[at];
    if (letter == '\n' || letter == '\r') continue;
    const std::uint8_t digit = kValues[static_cast<unsigned char>(letter)];
    const bool pads = letter == '=' && digits + padding >= 2 && digits + padding < 4;
    if (!pads && (digit == kNone || padding > 0)) return bad(at);
    padding += pads ? 1 : 0;
    if (pads) continue;
    bits = bits << 6 | digit;
    if (++digits < 4) continue;
    for (const int shift : {16, 8, 0}) bytes += static_cast<char>(bits >> shift & 0xff);
    bits = 0;
    digits = 0;
  }
  if (digits + padding != 0 && digits + padding != 4) {
    return failure(Code::BadRequest, "base64: the text ends too early");
  }
  if (digits == 3) {
    bytes += static_cast<char>(bits >> 10 & 0xff);
    bytes += static_cast<char>(bits >> 2 & 0xff);
  } else if (digits == 2) {
    bytes += static_cast<char>(bits >> 4 & 0xff);
  }
  return bytes;
}

}  // namespace berth

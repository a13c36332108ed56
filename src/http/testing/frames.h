// HTTP/2 frames written by hand, for peers that do not behave.

#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace berth::http::testing {

inline constexpr std::string_view kPreface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

enum class FrameType : std::uint8_t {
  Data = 0,
  Headers = 1,
  Priority = 2,
  RstStream = 3,
  Settings = 4,
  PushPromise = 5,
  Ping = 6,
  Goaway = 7,
  WindowUpdate = 8,
  Continuation = 9,
};

inline constexpr std::uint8_t kAck = 1;
inline constexpr std::uint8_t kEndStream = 1;
inline constexpr std::uint8_t kEndHeaders = 4;

inline std::string big_endian(std::uint32_t number) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift);
  return bytes;
}

inline std::string frame(FrameType type, std::uint8_t flags, std::uint32_t stream,
                         std::string_view payload) {
  std::string bytes = big_endian(static_cast<std::uint32_t>(payload.size())).substr(1);
  bytes += static_cast<char>(type);
  bytes += static_cast<char>(flags);
  bytes += big_endian(stream);
  return bytes.append(payload);
}

using Pairs = std::initializer_list<std::pair<std::string_view, std::string_view>>;

// Literal fields without indexing; names and values below 127 bytes.
inline std::string block(Pairs fields) {
  std::string bytes;
  for (const auto& [name, value] : fields) {
    bytes += '\0';
    bytes += static_cast<char>(name.size());
    bytes += name;
    bytes += static_cast<char>(value.size());
    bytes += value;
  }
  return bytes;
}

inline std::string settings(std::uint16_t id, std::uint32_t value) {
  return frame(FrameType::Settings, 0, 0,
               std::string{static_cast<char>(id >> 8), static_cast<char>(id)} + big_endian(value));
}

inline std::string get(std::uint32_t stream) {
  return frame(
      FrameType::Headers, kEndStream | kEndHeaders, stream,
      block({{":method", "GET"}, {":scheme", "https"}, {":path", "/"}, {":authority", "h"}}));
}

inline std::string reset(std::uint32_t stream, std::uint32_t code) {
  return frame(FrameType::RstStream, 0, stream, big_endian(code));
}

inline std::string hello() { return std::string(kPreface) + frame(FrameType::Settings, 0, 0, ""); }

}  // namespace berth::http::testing

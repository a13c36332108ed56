// Bytes of any kind as a proxy's answer to CONNECT, in one piece and byte by byte.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "http/connect_tunnel.h"

namespace berth::http {
namespace {

constexpr std::string_view kSecret = "s3cr3t-password";

// 0: still talking, 1: open, 2: refused.
int talk(std::string_view bytes, std::size_t piece) {
  const auto tunnel = make_connect_tunnel(
      {.host = "p", .port = 1, .username = "me", .password = std::string(kSecret)},
      {.host = "api", .port = 443});
  tunnel->output();
  for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size()))) {
    const auto state = tunnel->receive(bytes.substr(0, piece));
    CHECK(tunnel->output().empty());
    if (!state.ok()) {
      CHECK(!state.error().message.contains(kSecret));
      return 2;
    }
    // What follows in later pieces belongs to the server.
    if (*state == TunnelState::Open) return bytes.size() <= piece ? 1 : 2;
  }
  return 0;
}

}  // namespace
}  // namespace berth::http

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  CHECK(berth::http::talk(bytes, size + 1) == berth::http::talk(bytes, 1));
  return 0;
}

// Bytes of any kind as the answers of a SOCKS5 proxy. The first byte says whether we have a login;
// the others are the answers, of which each begins with its length.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "http/socks5_tunnel.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace berth::http;
  if (size == 0) return 0;
  constexpr std::string_view kSecret = "s3cr3t-password";
  Proxy proxy{.scheme = ProxyScheme::Socks5, .host = "p", .port = 1};
  if (data[0] % 2 == 1) {
    proxy.username = "me";
    proxy.password = std::string(kSecret);
  }
  const auto tunnel = make_socks5_tunnel(proxy, {.host = "api", .port = 443}).value();
  CHECK(!tunnel->output().empty());
  std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  int sent = 1;
  while (!bytes.empty()) {
    const std::size_t length =
        std::min<std::size_t>(static_cast<std::uint8_t>(bytes[0]), bytes.size() - 1);
    const auto state = tunnel->receive(bytes.substr(1, length));
    bytes.remove_prefix(1 + length);
    if (!state.ok()) {
      CHECK(!state.error().message.contains(kSecret));
      return 0;
    }
    if (*state == TunnelState::Open) {
      CHECK(sent >= 2);
      return 0;
    }
    if (!tunnel->output().empty()) ++sent;
    CHECK(sent <= 3);
  }
  return 0;
}

// The talk by which a proxy opens a way to a server, as a machine of bytes: HTTP CONNECT (RFC 9110,
// 9.3.6) or SOCKS5 (RFC 1928, RFC 1929). It knows no socket and no clock.
//
//   send output(); each time bytes arrive: receive(bytes), then send output() again;
//   when receive() says Open, everything that follows belongs to the server.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "http/proxy.h"

namespace berth::http {

enum class TunnelState : std::uint8_t { Talking, Open };

class Tunnel {
 public:
  virtual ~Tunnel() = default;

  // What to send next, taken out; empty: nothing now.
  virtual std::string output() = 0;

  // An error says what the proxy answered, never our credentials, and ends the talk. Bytes behind
  // the proxy's last word are an error too: a server does not speak before it is spoken to.
  virtual Result<TunnelState> receive(std::string_view bytes) = 0;
};

struct TunnelTarget {
  std::string host;  // A name or an address, without brackets.
  std::uint16_t port = 0;
};

// By the proxy's scheme. (What encrypts the way to an https proxy is around this.) A server's name
// that the protocol cannot carry is an error.
Result<std::unique_ptr<Tunnel>> make_tunnel(const Proxy& proxy, const TunnelTarget& target);

}  // namespace berth::http

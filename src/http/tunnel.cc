#include "http/tunnel.h"

#include "http/connect_tunnel.h"
#include "http/socks5_tunnel.h"

namespace berth::http {

Result<std::unique_ptr<Tunnel>> make_tunnel(const Proxy& proxy, const TunnelTarget& target) {
  if (proxy.scheme == ProxyScheme::Socks5) return make_socks5_tunnel(proxy, target);
  return make_connect_tunnel(proxy, target);
}

}  // namespace berth::http

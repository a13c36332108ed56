// SOCKS5: three short exchanges of bytes, of which the second (user and password) may be left out.

#pragma once

#include <memory>

#include "http/tunnel.h"

namespace berth::http {

Result<std::unique_ptr<Tunnel>> make_socks5_tunnel(const Proxy& proxy, const TunnelTarget& target);

}  // namespace berth::http

// HTTP CONNECT: "let me through to HOST:PORT", answered by one head.

#pragma once

#include <memory>

#include "http/tunnel.h"

namespace berth::http {

std::unique_ptr<Tunnel> make_connect_tunnel(const Proxy& proxy, const TunnelTarget& target);

}  // namespace berth::http

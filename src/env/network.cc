#include "env/network.h"

#include <fmt/core.h>

namespace berth::env {

std::string to_string(const Address& address) {
  const bool is_ipv6 = address.host.find(':') != std::string::npos;
  return is_ipv6 ? fmt::format("[{}]:{}", address.host, address.port)
                 : fmt::format("{}:{}", address.host, address.port);
}

}  // namespace berth::env

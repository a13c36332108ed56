#include "runtime/endpoint.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include <fmt/core.h>
#include <netdb.h>

namespace berth::runtime {
namespace {

Result<Endpoint> look_up(const env::Address& address, int flags) {
  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags | AI_NUMERICSERV;
  const std::string service = std::to_string(address.port);
  addrinfo* found = nullptr;
  const char* host = address.host.empty() ? nullptr : address.host.c_str();
  const int result = ::getaddrinfo(host, service.c_str(), &hints, &found);
  if (result != 0) {
    return failure(Code::ServiceUnavailable,
                   fmt::format("resolve {}: {}", address.host, ::gai_strerror(result)));
  }
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(found, &::freeaddrinfo);
  Endpoint endpoint;
  std::memcpy(&endpoint.storage, found->ai_addr, found->ai_addrlen);
  endpoint.length = found->ai_addrlen;
  return endpoint;
}

}  // namespace

const sockaddr* Endpoint::get() const { return reinterpret_cast<const sockaddr*>(&storage); }

env::Address Endpoint::address() const {
  char host[NI_MAXHOST] = "";
  char service[NI_MAXSERV] = "";
  ::getnameinfo(get(), length, host, sizeof host, service, sizeof service,
                NI_NUMERICHOST | NI_NUMERICSERV);
  return {.host = host, .port = static_cast<std::uint16_t>(std::atoi(service))};
}

Result<Endpoint> numeric_endpoint(const env::Address& address) {
  return look_up(address, AI_NUMERICHOST);
}

Result<Endpoint> local_endpoint(const env::Address& address) {
  return look_up(address, AI_PASSIVE);
}

}  // namespace berth::runtime

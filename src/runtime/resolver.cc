#include "runtime/resolver.h"

#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include <arpa/inet.h>
#include <boost/asio/ip/tcp.hpp>
#include <fmt/core.h>
#include <netdb.h>

namespace berth::runtime {
namespace {

using boost::asio::ip::tcp;

Endpoint make_endpoint(const sockaddr* address, socklen_t length) {
  Endpoint endpoint;
  std::memcpy(&endpoint.storage, address, length);
  endpoint.length = length;
  return endpoint;
}

Error cannot_resolve(const env::Address& address, const std::string& why) {
  return {.code = Code::ServiceUnavailable,
          .message = fmt::format("resolve {}: {}", address.host, why)};
}

Result<Endpoint> look_up(const env::Address& address, int flags) {
  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags | AI_NUMERICSERV;
  const std::string service = std::to_string(address.port);
  addrinfo* found = nullptr;
  const char* host = address.host.empty() ? nullptr : address.host.c_str();
  const int result = ::getaddrinfo(host, service.c_str(), &hints, &found);
  if (result != 0) return failure(cannot_resolve(address, ::gai_strerror(result)));
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(found, &::freeaddrinfo);
  return make_endpoint(found->ai_addr, found->ai_addrlen);
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

Result<Endpoint> resolve_local(const env::Address& address) { return look_up(address, AI_PASSIVE); }

void resolve(IoLoop& loop, const env::Address& address, Resolved done) {
  // Without a name the system would answer "this machine".
  Result<Endpoint> numeric =
      address.host.empty() ? Result<Endpoint>(failure(cannot_resolve(address, "no host is named")))
                           : look_up(address, AI_NUMERICHOST);
  if (numeric.ok() || address.host.empty()) {
    loop.post([numeric = std::move(numeric), done = std::move(done)]() mutable {
      if (!numeric.ok()) return done(failure(std::move(numeric).error()));
      done(std::vector<Endpoint>{*numeric});
    });
    return;
  }
  auto resolver = std::make_shared<tcp::resolver>(loop.context());
  resolver->async_resolve(address.host, std::to_string(address.port),
                          tcp::resolver::numeric_service,
                          [resolver, address, done = std::move(done)](
                              const boost::system::error_code& error,
                              const tcp::resolver::results_type& found) mutable {
                            if (error)
                              return done(failure(cannot_resolve(address, error.message())));
                            std::vector<Endpoint> endpoints;
                            for (const auto& entry : found) {
                              const tcp::endpoint endpoint = entry.endpoint();
                              endpoints.push_back(make_endpoint(
                                  endpoint.data(), static_cast<socklen_t>(endpoint.size())));
                            }
                            if (endpoints.empty())
                              return done(failure(cannot_resolve(address, "no address")));
                            done(std::move(endpoints));
                          });
}

}  // namespace berth::runtime

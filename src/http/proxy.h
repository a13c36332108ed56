// Proxies between us and a server: how one is written, and when the environment asks for which.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "http/url.h"

namespace berth::http {

// Socks5 stands for socks5h too: as in Go, the proxy always resolves the server's name.
enum class ProxyScheme : std::uint8_t { Http, Https, Socks5 };

struct Proxy {
  ProxyScheme scheme = ProxyScheme::Http;
  std::string host = {};
  std::uint16_t port = 0;
  std::string username = {};  // Decoded. Empty: the proxy wants nobody's name.
  std::string password = {};

  // "http://proxy:3128": fit for messages, because no secret is in it.
  std::string name() const;

  bool operator==(const Proxy&) const = default;
};

// http, https, socks5 and socks5h URLs. The ports that may be left out are 80, 443 and 1080. Errors
// show the URL without its credentials.
Result<Proxy> parse_proxy(std::string_view url);

// $HTTP_PROXY, $HTTPS_PROXY and $NO_PROXY. Here a proxy may lack its "http://".
struct ProxyEnvironment {
  std::string http_proxy = {};
  std::string https_proxy = {};
  std::string no_proxy = {};
};

// `variable` looks one up in the environment; empty: not set. As in Go, $HTTP_PROXY counts for
// nothing inside a CGI script ($REQUEST_METHOD), where whoever sends a request chooses it.
ProxyEnvironment read_proxy_environment(
    const std::function<std::string(std::string_view)>& variable);

// The proxy on the way to a server, by the rules of Go: the variable of the URL's scheme decides;
// the own machine is never reached through a proxy. NO_PROXY is a list of exceptions, each with an
// optional port: a domain (with all below it), ".domain" or "*.domain" (only those below it), an IP
// address, a CIDR range, or "*". A proxy that cannot be read is an error, where Go goes without.
Result<std::optional<Proxy>> choose_proxy(const ProxyEnvironment& environment, const Url& server);

// Whether NO_PROXY, or its being the own machine, keeps a server off every proxy.
bool goes_direct(std::string_view no_proxy, std::string_view host, std::uint16_t port);

}  // namespace berth::http

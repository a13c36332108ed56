#include "http/proxy.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <utility>

#include <arpa/inet.h>

#include "base/strings.h"
#include "http/percent.h"

namespace berth::http {
namespace {

struct SchemeName {
  std::string_view name;
  ProxyScheme scheme;
  std::uint16_t port;
};
constexpr SchemeName kSchemes[] = {{"http", ProxyScheme::Http, 80},
                                   {"https", ProxyScheme::Https, 443},
                                   {"socks5", ProxyScheme::Socks5, 1080},
                                   {"socks5h", ProxyScheme::Socks5, 1080}};
constexpr std::string_view kSchemeEnd = "://";
// What one field of SOCKS5 holds (RFC 1929); for Basic it is plenty.
constexpr std::size_t kCredentialMax = 255;

// A URL in its parts; the credentials are kept away from everything that goes into messages.
struct Parts {
  std::string_view scheme;
  std::string_view userinfo;
  std::string_view place;  // Host, port, and the path that has no meaning here.

  // Nothing before the last '@' of all: a password whose '/' is not escaped is still a password.
  std::string shown() const {
    std::string text(scheme);
    if (!scheme.empty()) text += kSchemeEnd;
    const std::size_t at = place.rfind('@');
    return quote(text.append(place.substr(at == std::string_view::npos ? 0 : at + 1)));
  }
};

Parts split_proxy(std::string_view url) {
  Parts parts;
  if (const std::size_t end = url.find(kSchemeEnd); end != std::string_view::npos) {
    parts.scheme = url.substr(0, end);
    url.remove_prefix(end + kSchemeEnd.size());
  }
  const std::size_t at = url.substr(0, url.find_first_of("/?#")).rfind('@');
  if (at != std::string_view::npos) {
    parts.userinfo = url.substr(0, at);
    url.remove_prefix(at + 1);
  }
  parts.place = url;
  return parts;
}

Result<std::string> decode_credential(std::string_view text, const Parts& parts) {
  auto decoded = percent_decode(text);
  const bool fits = decoded.ok() && decoded->size() <= kCredentialMax &&
                    std::ranges::none_of(*decoded, [](char c) { return c == '\0'; });
  if (fits) return *std::move(decoded);
  return failure(Code::Invalid, "proxy " + parts.shown() +
                                    ": user and password expected percent-encoded, each of at "
                                    "most 255 bytes");
}

// An IPv4 or IPv6 address as 16 bytes, IPv4 in its mapped form.
using IpBytes = std::array<std::uint8_t, 16>;
constexpr std::size_t kMappedBits = 96;

std::optional<IpBytes> parse_ip(std::string_view text) {
  const std::string terminated(text);
  IpBytes bytes = {};
  if (::inet_pton(AF_INET6, terminated.c_str(), bytes.data()) == 1) return bytes;
  bytes = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  if (::inet_pton(AF_INET, terminated.c_str(), bytes.data() + 12) == 1) return bytes;
  return std::nullopt;
}

bool is_ipv4(const IpBytes& address) {
  constexpr IpBytes kPrefix = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  return std::memcmp(address.data(), kPrefix.data(), kMappedBits / 8) == 0;
}

bool is_loopback(const IpBytes& address) {
  constexpr IpBytes kSelf = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  return address == kSelf || (is_ipv4(address) && address[12] == 127);
}

bool same_prefix(const IpBytes& a, const IpBytes& b, std::size_t bits) {
  for (std::size_t bit = 0; bit < bits; ++bit) {
    const auto mask = static_cast<std::uint8_t>(0x80 >> (bit % 8));
    if (((a[bit / 8] ^ b[bit / 8]) & mask) != 0) return false;
  }
  return true;
}

// Nullopt: `entry` is no CIDR range.
std::optional<bool> in_range(std::string_view entry, const std::optional<IpBytes>& address) {
  const std::size_t slash = entry.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto network = parse_ip(entry.substr(0, slash));
  const auto bits = parse_uint64(entry.substr(slash + 1));
  if (!network || !bits) return std::nullopt;
  const bool dotted = !entry.substr(0, slash).contains(':');
  if (*bits > (dotted ? 32u : 128u)) return std::nullopt;
  if (!address || is_ipv4(*address) != is_ipv4(*network)) return false;
  return same_prefix(*address, *network, dotted ? kMappedBits + *bits : *bits);
}

struct HostPort {
  std::string_view host;
  std::string_view port = {};  // Empty: any.
};

// "host", "host:port", "v6", "[v6]" and "[v6]:port".
HostPort split_entry(std::string_view entry) {
  if (entry.starts_with('[')) {
    const std::size_t end = entry.find(']');
    if (end == std::string_view::npos) return {.host = entry};
    const std::string_view rest = entry.substr(end + 1);
    return {.host = entry.substr(1, end - 1), .port = rest.substr(rest.starts_with(':') ? 1 : 0)};
  }
  const std::size_t colon = entry.find(':');
  if (colon == std::string_view::npos || entry.find(':', colon + 1) != std::string_view::npos) {
    return {.host = entry};
  }
  return {.host = entry.substr(0, colon), .port = entry.substr(colon + 1)};
}

bool in_domain(std::string_view domain, std::string_view host) {
  if (domain.starts_with("*.")) domain.remove_prefix(1);
  if (domain.starts_with('.')) return host.ends_with(domain);
  if (!host.ends_with(domain)) return false;
  return host.size() == domain.size() || host[host.size() - domain.size() - 1] == '.';
}

}  // namespace

std::string Proxy::name() const {
  const auto* found = std::ranges::find(kSchemes, scheme, &SchemeName::scheme);
  std::string text(found->name);
  text += kSchemeEnd;
  text += host.contains(':') ? "[" + host + "]" : host;
  return text + ":" + std::to_string(port);
}

Result<Proxy> parse_proxy(std::string_view url) {
  const Parts parts = split_proxy(url);
  const std::string scheme = lower_ascii(parts.scheme);
  const auto* known = std::ranges::find(kSchemes, scheme, &SchemeName::name);
  if (known == std::end(kSchemes)) {
    return failure(Code::Invalid,
                   "proxy " + parts.shown() + ": expected http, https, socks5 or socks5h");
  }
  const auto place = parse_url("http://" + std::string(parts.place));
  if (!place.ok()) {
    return failure(Code::Invalid, "proxy " + parts.shown() + ": expected a host and a port");
  }
  Proxy proxy{
      .scheme = known->scheme, .host = place->host, .port = place->port.value_or(known->port)};
  const std::size_t colon = std::min(parts.userinfo.find(':'), parts.userinfo.size());
  ASSIGN_OR_RETURN(proxy.username, decode_credential(parts.userinfo.substr(0, colon), parts));
  const std::size_t password = std::min(colon + 1, parts.userinfo.size());
  ASSIGN_OR_RETURN(proxy.password, decode_credential(parts.userinfo.substr(password), parts));
  return proxy;
}

bool goes_direct(std::string_view no_proxy, std::string_view host, std::uint16_t port) {
  const std::string name = lower_ascii(host);
  const auto address = parse_ip(name);
  if (name == "localhost" || (address && is_loopback(*address))) return true;
  const std::string port_text = std::to_string(port);
  for (const std::string_view item : split(no_proxy, ',')) {
    const std::string entry = lower_ascii(trim(item));
    if (entry.empty()) continue;
    if (entry == "*") return true;
    if (const auto inside = in_range(entry, address)) {
      if (*inside) return true;
      continue;
    }
    const HostPort exception = split_entry(entry);
    if (exception.host.empty()) continue;
    if (!exception.port.empty() && exception.port != port_text) continue;
    const auto exempt = parse_ip(exception.host);
    // A name is never compared with the text of an address.
    const bool matches =
        exempt || address ? exempt && exempt == address : in_domain(exception.host, name);
    if (matches) return true;
  }
  return false;
}

ProxyEnvironment read_proxy_environment(
    const std::function<std::string(std::string_view)>& variable) {
  const auto either = [&](std::string_view capitals) {
    std::string value = variable(capitals);
    return value.empty() ? variable(lower_ascii(capitals)) : value;
  };
  const bool in_cgi = !variable("REQUEST_METHOD").empty();
  return {.http_proxy = in_cgi ? std::string() : either("HTTP_PROXY"),
          .https_proxy = either("HTTPS_PROXY"),
          .no_proxy = either("NO_PROXY")};
}

Result<std::optional<Proxy>> choose_proxy(const ProxyEnvironment& environment, const Url& server) {
  const bool https = server.scheme == Scheme::Https;
  const std::string_view said = trim(https ? environment.https_proxy : environment.http_proxy);
  const bool direct = goes_direct(environment.no_proxy, server.host, server.port_or_default());
  if (said.empty() || direct) return std::nullopt;
  const bool complete = said.contains(kSchemeEnd);
  auto proxy = parse_proxy(complete ? std::string(said) : "http://" + std::string(said));
  if (!proxy.ok()) {
    return failure(std::move(proxy).error().in_context(https ? "HTTPS_PROXY" : "HTTP_PROXY"));
  }
  return *std::move(proxy);
}

}  // namespace berth::http

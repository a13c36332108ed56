#include "scores/generators/location.h"

#include <algorithm>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "api/expressions/ip_address.h"
#include "api/expressions/url.h"
#include "api/names.h"
#include "base/strings.h"

namespace berth::scores {
namespace {

constexpr std::size_t kUrlMax = 2048;

std::unexpected<Error> invalid(std::string message) {
  return failure(Code::Invalid, std::move(message));
}

std::optional<Method> method_of(std::string_view name) {
  for (const Method method : {Method::Http, Method::Https, Method::Tcp, Method::Dns}) {
    if (method_name(method) == name) return method;
  }
  return std::nullopt;
}

// http and https are ways to speak, which the scheme decides; tcp and dns are parts of both.
Result<Method> choose_method(Method scheme, std::string_view wanted) {
  if (wanted.empty()) return scheme;
  const auto method = method_of(wanted);
  if (!method) {
    return invalid(
        fmt::format("method {} is not known; use http, https, tcp or dns", quote(wanted)));
  }
  const bool fits = *method == scheme || *method == Method::Tcp || *method == Method::Dns;
  if (!fits) {
    return invalid(fmt::format("method {} does not fit a URL that begins with {}://", wanted,
                               method_name(scheme)));
  }
  return *method;
}

Result<std::uint16_t> read_port(const api::Url& url, Method scheme, Method method) {
  if (method == Method::Dns) return std::uint16_t{0};
  if (!url.port().empty()) {
    const auto port = parse_int64(url.port());
    if (!port || *port < 1 || *port > 65535) {
      return invalid(fmt::format("port {} is not between 1 and 65535", url.port()));
    }
    return static_cast<std::uint16_t>(*port);
  }
  if (scheme == Method::Http) return std::uint16_t{80};
  if (scheme == Method::Https) return std::uint16_t{443};
  return invalid(fmt::format("there is no port; write {}://HOST:PORT", method_name(scheme)));
}

// A name or a permitted address.
Status check_host(const std::string& host, const AddressRules& rules) {
  if (host.empty()) return invalid("there is no host");
  if (const auto address = api::IpAddress::parse(host)) return check_address(*address, rules);
  std::string_view name = host;
  if (name.ends_with('.')) name.remove_suffix(1);
  if (!api::check_dns1123_subdomain(name).empty()) {
    return invalid(fmt::format("{} is no name or address of a host", quote(host)));
  }
  return {};
}

Result<api::Url> parse(std::string_view text) {
  if (text.empty()) return invalid("there is no url; write for example https://example.com");
  if (text.size() > kUrlMax) return invalid(fmt::format("it is longer than {} bytes", kUrlMax));
  const bool is_plain = std::ranges::all_of(text, [](char c) { return c > ' ' && c < 0x7f; });
  if (!is_plain) return invalid("it has blanks or characters outside ASCII; escape them as %20");
  auto url = api::Url::parse(text);
  if (!url.ok()) return invalid(url.error().message);
  if (text.find('#') != std::string_view::npos) return invalid("a part after # means nothing here");
  const std::string_view authority =
      text.substr(0, text.find_first_of("/?", url->scheme.size() + 3));
  if (authority.find('@') != std::string_view::npos) {
    return invalid(
        "it has credentials, which do not belong into a generator; remove what is "
        "before the @");
  }
  return url;
}

}  // namespace

Result<Location> read_location(std::string_view url_text, std::string_view wanted,
                               const AddressRules& rules) {
  ASSIGN_OR_RETURN(const api::Url url, parse(url_text));
  const auto scheme = method_of(url.scheme);
  if (!scheme) {
    return invalid(url.scheme.empty()
                       ? std::string("it has no scheme; begin it with https://, http://, tcp:// or "
                                     "dns://")
                       : fmt::format("scheme {} cannot be measured; use https, http, tcp or dns",
                                     quote(url.scheme)));
  }
  Location location;
  ASSIGN_OR_RETURN(location.method, choose_method(*scheme, wanted));
  location.host = lower_ascii(url.hostname());
  RETURN_IF_ERROR(check_host(location.host, rules));
  ASSIGN_OR_RETURN(location.port, read_port(url, *scheme, location.method));
  if (location.method == Method::Http || location.method == Method::Https) {
    location.authority = lower_ascii(url.host);
    location.target = url.path.empty() ? "/" : url.escaped_path();
    if (!url.query.empty()) location.target += "?" + url.query;
  }
  return location;
}

}  // namespace berth::scores

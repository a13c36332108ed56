#include "http/url.h"

#include <algorithm>
#include <cstddef>

#include "base/strings.h"
#include "http/percent.h"

namespace berth::http {
namespace {

// Without user and password: errors end up in logs. Everything up to the last '@' before a '/'.
std::string without_secrets(std::string_view text) {
  const std::size_t scheme = text.find("://");
  const std::size_t start = scheme == std::string_view::npos ? 0 : scheme + 3;
  const std::size_t end = std::min(text.find('/', start), text.size());
  const std::size_t at = text.substr(0, end).rfind('@');
  if (at == std::string_view::npos || at < start) return std::string(text);
  return std::string(text.substr(0, start)) + "..." + std::string(text.substr(at));
}

std::unexpected<Error> bad_url(std::string_view text, std::string_view what) {
  return failure(Code::BadRequest,
                 "URL " + quote(without_secrets(text)) + ": " + std::string(what));
}

bool is_visible_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c > ' ' && c < 0x7f; });
}

bool is_host_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
}

// What may stand between the brackets of an IPv6 address. The resolver has the last word.
bool is_ipv6_char(char c) {
  return (c >= 'a' && c <= 'f') || (c >= '0' && c <= '9') || c == ':' || c == '.';
}

// Host and port of "host", "host:port", "[v6]" or "[v6]:port".
Result<Url> parse_authority(std::string_view text, Url url, std::string_view whole) {
  std::string_view port;
  if (text.starts_with('[')) {
    const std::size_t end = text.find(']');
    if (end == std::string_view::npos) return bad_url(whole, "']' expected after the address");
    url.host = lower_ascii(text.substr(1, end - 1));
    port = text.substr(end + 1);
    if (!url.host.contains(':') || !std::ranges::all_of(url.host, is_ipv6_char)) {
      return bad_url(whole, "an IPv6 address expected between '[' and ']'");
    }
  } else {
    const std::size_t end = std::min(text.find(':'), text.size());
    url.host = lower_ascii(text.substr(0, end));
    port = text.substr(end);
    if (url.host.empty()) return bad_url(whole, "a host expected");
    if (!std::ranges::all_of(url.host, is_host_char)) {
      return bad_url(whole, "the host has a character that no host name has");
    }
  }
  if (port.empty()) return url;
  const auto number = port.size() <= 6 ? parse_uint64(port.substr(1)) : std::nullopt;
  if (port[0] != ':' || !number || *number == 0 || *number > 65535) {
    return bad_url(whole, "a port from 1 to 65535 expected after the host");
  }
  url.port = static_cast<std::uint16_t>(*number);
  return url;
}

Result<std::string> decode_query_part(std::string_view text) {
  std::string spaced(text);
  std::ranges::replace(spaced, '+', ' ');
  return percent_decode(spaced);
}

}  // namespace

std::uint16_t Url::port_or_default() const {
  return port.value_or(scheme == Scheme::Https ? 443 : 80);
}

std::string Url::authority() const {
  std::string text = host.contains(':') ? "[" + host + "]" : host;
  const bool usual = port_or_default() == (scheme == Scheme::Https ? 443 : 80);
  if (!usual) text += ":" + std::to_string(*port);
  return text;
}

std::string Url::text() const {
  std::string text = scheme == Scheme::Https ? "https://" : "http://";
  if (!userinfo.empty()) text += userinfo + "@";
  text += authority() + path;
  if (!query.empty()) text += "?" + query;
  return text;
}

std::string Url::target(std::string_view path_and_query) const {
  std::string_view base = path;
  while (base.ends_with('/')) base.remove_suffix(1);
  std::string text(base);
  if (!path_and_query.starts_with('/')) text += '/';
  return text.append(path_and_query);
}

Result<Url> parse_url(std::string_view text) {
  if (text.size() > 64 * 1024) return failure(Code::BadRequest, "URL longer than 64 KiB");
  if (!is_visible_ascii(text)) return bad_url(text, "a space, control or non-ASCII character");
  Url url;
  const std::size_t colon = text.find("://");
  const std::string scheme = lower_ascii(text.substr(0, std::min(colon, text.size())));
  if (colon == std::string_view::npos || (scheme != "http" && scheme != "https")) {
    return bad_url(text, "http:// or https:// expected at the start");
  }
  url.scheme = scheme == "https" ? Scheme::Https : Scheme::Http;
  std::string_view rest = text.substr(colon + 3);
  if (rest.contains('#')) return bad_url(text, "a fragment ('#') has no meaning here");

  const std::size_t authority_end = std::min(rest.find_first_of("/?"), rest.size());
  std::string_view authority = rest.substr(0, authority_end);
  rest.remove_prefix(authority_end);
  const Target target = split_target(rest);
  url.path = target.path;
  url.query = target.query;
  if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) {
    url.userinfo = authority.substr(0, at);
    authority.remove_prefix(at + 1);
  }
  return parse_authority(authority, std::move(url), text);
}

Target split_target(std::string_view target) {
  const std::size_t mark = target.find('?');
  if (mark == std::string_view::npos) return {.path = target, .query = {}};
  return {.path = target.substr(0, mark), .query = target.substr(mark + 1)};
}

Result<std::vector<std::string>> split_path(std::string_view path) {
  if (!path.starts_with('/')) {
    return failure(Code::BadRequest, "path " + quote(path) + ": '/' expected at the start");
  }
  path.remove_prefix(1);
  std::vector<std::string> segments;
  if (path.empty()) return segments;
  if (path.ends_with('/')) path.remove_suffix(1);
  for (const std::string_view part : split(path, '/')) {
    ASSIGN_OR_RETURN(std::string segment, percent_decode(part));
    if (segment.empty() || segment == "." || segment == ".." || segment.contains('\0')) {
      return failure(Code::BadRequest, "path segment " + quote(segment) + " is not allowed");
    }
    segments.push_back(std::move(segment));
  }
  return segments;
}

Result<std::vector<QueryItem>> parse_query(std::string_view query) {
  std::vector<QueryItem> items;
  for (const std::string_view part : split(query, '&')) {
    if (part.empty()) continue;
    if (part.contains(';')) {
      return failure(Code::BadRequest, "query item " + quote(part) + ": ';' does not separate");
    }
    const std::size_t equals = std::min(part.find('='), part.size());
    ASSIGN_OR_RETURN(std::string name, decode_query_part(part.substr(0, equals)));
    ASSIGN_OR_RETURN(std::string value,
                     decode_query_part(part.substr(std::min(equals + 1, part.size()))));
    items.emplace_back(std::move(name), std::move(value));
  }
  return items;
}

std::string build_query(const std::vector<QueryItem>& items) {
  std::string query;
  for (const auto& [name, value] : items) {
    if (!query.empty()) query += '&';
    query += percent_encode(name) + "=" + percent_encode(value);
  }
  return query;
}

}  // namespace berth::http

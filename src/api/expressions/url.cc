#include "api/expressions/url.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "api/expressions/ip_address.h"
#include "base/strings.h"

namespace berth::api {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_unreserved(char c) {
  return is_letter(c) || is_digit(c) || c == '-' || c == '_' || c == '.' || c == '~';
}
bool is_one_of(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }

std::optional<int> hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

enum class Plus { Literal, Space };

// Replaces %41 by A; the error names the malformed escape.
Result<std::string> unescape(std::string_view text, Plus plus) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && plus == Plus::Space) {
      result += ' ';
    } else if (text[i] != '%') {
      result += text[i];
    } else {
      const auto high = i + 2 < text.size() ? hex_value(text[i + 1]) : std::nullopt;
      const auto low = i + 2 < text.size() ? hex_value(text[i + 2]) : std::nullopt;
      if (!high || !low) {
        return failure(Code::Invalid, "invalid URL escape " + quote(text.substr(i, 3)));
      }
      result += static_cast<char>(*high * 16 + *low);
      i += 2;
    }
  }
  return result;
}

struct Scheme {
  std::string name;
  std::string_view rest;
};

Result<Scheme> take_scheme(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_letter(c)) continue;
    if (i > 0 && (is_digit(c) || is_one_of(c, "+-."))) continue;
    if (c != ':') break;
    if (i == 0) return failure(Code::Invalid, "missing protocol scheme");
    return Scheme{.name = lower_ascii(text.substr(0, i)), .rest = text.substr(i + 1)};
  }
  return Scheme{.name = "", .rest = text};
}

bool is_port(std::string_view text) {
  return text.empty() || (text[0] == ':' && std::ranges::all_of(text.substr(1), is_digit));
}

Status check_host_characters(std::string_view host) {
  for (std::size_t i = 0; i < host.size(); ++i) {
    const char c = host[i];
    if (c == '%') {
      // Only bytes outside ASCII may be escaped in a host.
      const auto high = i + 2 < host.size() ? hex_value(host[i + 1]) : std::nullopt;
      const auto low = i + 2 < host.size() ? hex_value(host[i + 2]) : std::nullopt;
      if (!high || !low || (*high < 8 && host.substr(i, 3) != "%25")) {
        return failure(Code::Invalid, "invalid URL escape " + quote(host.substr(i, 3)));
      }
      i += 2;
    } else if (static_cast<unsigned char>(c) < 0x80 && !is_unreserved(c) &&
               !is_one_of(c, "!$&'()*+,;=:[]<>\"")) {
      return failure(Code::Invalid, fmt::format("invalid character {} in host name",
                                                quote(std::string_view(&c, 1))));
    }
  }
  return {};
}

Status check_host(std::string_view host) {
  if (host.starts_with('[')) {
    const std::size_t end = host.rfind(']');
    if (end == std::string_view::npos) return failure(Code::Invalid, "missing ']' in host");
    if (!is_port(host.substr(end + 1))) {
      return failure(Code::Invalid,
                     fmt::format("invalid port {} after host", quote(host.substr(end + 1))));
    }
    const std::string_view literal = host.substr(1, end - 1);
    const auto address = IpAddress::parse(literal.substr(0, literal.find("%25")));
    if (!address || address->is_v4()) return failure(Code::Invalid, "invalid host");
    return {};
  }
  const std::size_t colon = host.rfind(':');
  if (colon != std::string_view::npos && !is_port(host.substr(colon))) {
    return failure(Code::Invalid,
                   fmt::format("invalid port {} after host", quote(host.substr(colon))));
  }
  return check_host_characters(host);
}

Result<std::string> parse_authority(std::string_view authority) {
  const std::size_t at = authority.rfind('@');
  if (at != std::string_view::npos) {
    for (const char c : authority.substr(0, at)) {
      if (!is_unreserved(c) && !is_one_of(c, ":!$&'()*+,;=%@")) {
        return failure(Code::Invalid, "net/url: invalid userinfo");
      }
    }
    RETURN_IF_ERROR(unescape(authority.substr(0, at), Plus::Literal));
    authority.remove_prefix(at + 1);
  }
  RETURN_IF_ERROR(check_host(authority));
  if (authority.starts_with('[')) return std::string(authority);
  return unescape(authority, Plus::Literal);
}

Result<Url> parse_parts(std::string_view text) {
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      return failure(Code::Invalid, "net/url: invalid control character in URL");
    }
  }
  if (text.empty()) return failure(Code::Invalid, "empty url");
  Url url = {.text = std::string(text)};
  ASSIGN_OR_RETURN(Scheme scheme, take_scheme(text));
  url.scheme = std::move(scheme.name);
  std::string_view rest = scheme.rest;
  // A fragment is no part of a request, but what was written is still taken apart at it.
  rest = rest.substr(0, rest.find('#'));
  if (const std::size_t mark = rest.find('?'); mark != std::string_view::npos) {
    url.query = rest.substr(mark + 1);
    rest = rest.substr(0, mark);
  }
  if (!rest.starts_with('/')) {
    if (!url.scheme.empty()) return url;  // mailto:someone
    return failure(Code::Invalid, "invalid URI for request");
  }
  if (rest.starts_with("//") && (!url.scheme.empty() || !rest.starts_with("///"))) {
    const std::string_view authority = rest.substr(2, rest.find('/', 2) - 2);
    ASSIGN_OR_RETURN(url.host, parse_authority(authority));
    rest.remove_prefix(2 + authority.size());
  }
  RETURN_IF_ERROR(unescape(rest, Plus::Literal));
  url.path = rest;
  return url;
}

}  // namespace

Result<Url> Url::parse(std::string_view text) {
  auto url = parse_parts(text);
  if (!url.ok()) return failure(std::move(url).error().in_context("parse " + quote(text)));
  return url;
}

std::string_view Url::hostname() const {
  std::string_view name = host;
  name.remove_suffix(port().empty() ? 0 : port().size() + 1);
  if (name.ends_with(':')) name.remove_suffix(1);
  if (name.starts_with('[') && name.ends_with(']')) name = name.substr(1, name.size() - 2);
  return name;
}

std::string_view Url::port() const {
  const std::string_view whole = host;
  const std::size_t colon = whole.rfind(':');
  if (colon == std::string_view::npos || whole.find(']', colon) != std::string_view::npos) {
    return {};
  }
  return whole.substr(colon + 1);
}

std::string Url::escaped_path() const {
  const bool fine = std::ranges::all_of(
      path, [](char c) { return is_unreserved(c) || is_one_of(c, "!$&'()*+,;=:@[]/%"); });
  if (fine) return path;
  std::string escaped;
  for (const char c : unescape(path, Plus::Literal).value_or(path)) {
    if (is_unreserved(c) || is_one_of(c, "$&+,/:;=@")) {
      escaped += c;
    } else {
      escaped += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return escaped;
}

std::vector<std::pair<std::string, std::vector<std::string>>> Url::query_values() const {
  std::vector<std::pair<std::string, std::vector<std::string>>> values;
  for (const std::string_view part : split(query, '&')) {
    if (part.empty() || part.find(';') != std::string_view::npos) continue;
    const std::size_t equals = part.find('=');
    const auto name = unescape(part.substr(0, equals), Plus::Space);
    const auto value = equals == std::string_view::npos
                           ? Result<std::string>("")
                           : unescape(part.substr(equals + 1), Plus::Space);
    if (!name.ok() || !value.ok()) continue;
    auto known = std::ranges::find(values, *name, [](const auto& it) { return it.first; });
    if (known == values.end()) known = values.insert(known, {*name, {}});
    known->second.push_back(*value);
  }
  return values;
}

}  // namespace berth::api

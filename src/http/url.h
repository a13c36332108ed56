// Absolute http and https URLs, and the path and query of a request's target.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace berth::http {

enum class Scheme : std::uint8_t { Http, Https };

struct Url {
  Scheme scheme = Scheme::Https;
  std::string userinfo = {};  // As written, before the '@'.
  std::string host = {};      // In lower case; an IPv6 address without its brackets.
  std::optional<std::uint16_t> port = std::nullopt;
  std::string path = {};   // As written: "" or "/base/path".
  std::string query = {};  // As written, after the '?'.

  std::uint16_t port_or_default() const;

  // "host", "host:8443" or "[::1]:8443": what goes into the Host header. The scheme's own port is
  // left out.
  std::string authority() const;
  std::string text() const;

  // The base path joined with "/api/v1" and so on, with one slash between them.
  std::string target(std::string_view path_and_query) const;

  bool operator==(const Url&) const = default;
};

// The scheme must be written out. A fragment is refused: it has no meaning to a server.
Result<Url> parse_url(std::string_view text);

struct Target {
  std::string_view path;
  std::string_view query;  // After the '?', else empty.
};
Target split_target(std::string_view target);

// The decoded segments of an absolute path: "/api/v1/a%20b" is {"api", "v1", "a b"}; one trailing
// slash adds nothing. Empty, "." and ".." segments, and NUL bytes, are refused: nothing that Berth
// serves has such a name, and each has been a way around somebody's checks.
Result<std::vector<std::string>> split_path(std::string_view path);

using QueryItem = std::pair<std::string, std::string>;

// "a=1&b=x+y" decoded as browsers and Go do: '+' is a space, an item without '=' has an empty
// value,
// ';' does not separate and is refused.
Result<std::vector<QueryItem>> parse_query(std::string_view query);
std::string build_query(const std::vector<QueryItem>& items);

}  // namespace berth::http

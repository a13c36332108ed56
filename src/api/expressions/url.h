// URLs as Go's net/url takes them apart, as far as CEL's URL library shows it.

#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace berth::api {

struct Url {
  std::string text;  // As it was written.
  std::string scheme = {};
  std::string host = {};  // With the port.
  std::string path = {};  // As it was written, escapes included.
  std::string query = {};

  // An absolute URL or an absolute path, as a server would get it in a request.
  static Result<Url> parse(std::string_view text);

  std::string_view hostname() const;  // Without port and brackets.
  std::string_view port() const;
  // The path with everything escaped that must be.
  std::string escaped_path() const;
  // The values of each name, names in the order of their first occurrence.
  std::vector<std::pair<std::string, std::vector<std::string>>> query_values() const;
};

}  // namespace berth::api

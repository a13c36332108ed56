#include "apiserver/validation/config_keys.h"

#include <algorithm>
#include <cctype>

namespace berth::apiserver {
namespace {

constexpr std::size_t kKeyBytesMax = 253;

}  // namespace

api::Problems config_key_problems(std::string_view key) {
  api::Problems problems;
  if (key.size() > kKeyBytesMax) problems.emplace_back("must be no more than 253 characters");
  const bool is_plain = !key.empty() && std::ranges::all_of(key, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.';
  });
  if (!is_plain) {
    problems.emplace_back(
        "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. "
        "'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is "
        "'[-._a-zA-Z0-9]+')");
  }
  if (key == ".") {
    problems.emplace_back("must not be '.'");
  } else if (key == "..") {
    problems.emplace_back("must not be '..'");
  } else if (key.starts_with("..")) {
    problems.emplace_back("must not start with '..'");
  }
  return problems;
}

}  // namespace berth::apiserver

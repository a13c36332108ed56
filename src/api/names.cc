#include "api/names.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>

#include <fmt/format.h>

#include "base/strings.h"

namespace berth::api {
namespace {

constexpr std::size_t kLabelMax = 63;
constexpr std::size_t kSubdomainMax = 253;

constexpr std::string_view kNamePattern = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
constexpr std::string_view kNameRule =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_lower_alphanumeric(char c) { return is_lower(c) || is_digit(c); }
bool is_alphanumeric(char c) { return is_lower_alphanumeric(c) || (c >= 'A' && c <= 'Z'); }

// [a-z0-9]([-a-z0-9]*[a-z0-9])?
bool is_dns_label(std::string_view text) {
  return !text.empty() && is_lower_alphanumeric(text.front()) &&
         is_lower_alphanumeric(text.back()) &&
         std::ranges::all_of(text, [](char c) { return is_lower_alphanumeric(c) || c == '-'; });
}

bool is_dns_subdomain(std::string_view text) {
  return std::ranges::all_of(split(text, '.'), is_dns_label);
}

// kNamePattern
bool is_name(std::string_view text) {
  return !text.empty() && is_alphanumeric(text.front()) && is_alphanumeric(text.back()) &&
         std::ranges::all_of(
             text, [](char c) { return is_alphanumeric(c) || c == '-' || c == '_' || c == '.'; });
}

// Kubernetes counts bytes always, but says so only where labels are concerned.
std::string too_long(std::size_t bytes_max, std::string_view unit = "bytes") {
  return fmt::format("must be no more than {} {}", bytes_max, unit);
}

// The comma and the two spaces between examples are Kubernetes' own.
std::string breaks_pattern(std::string_view rule, std::string_view pattern,
                           std::initializer_list<std::string_view> examples) {
  std::string message = fmt::format("{} (e.g. ", rule);
  for (const std::string_view example : examples) {
    if (example != *examples.begin()) message += " or ";
    message += fmt::format("'{}', ", example);
  }
  return message + fmt::format("regex used for validation is '{}')", pattern);
}

std::string breaks_name_pattern() {
  return breaks_pattern(kNameRule, kNamePattern, {"MyName", "my.name", "123-abc"});
}

Problems check_subdomain(std::string_view text, std::string_view unit) {
  Problems problems;
  if (text.size() > kSubdomainMax) problems.push_back(too_long(kSubdomainMax, unit));
  if (!is_dns_subdomain(text)) {
    problems.push_back(breaks_pattern(
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
        "'.', and must start and end with an alphanumeric character",
        "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*", {"example.com"}));
  }
  return problems;
}

}  // namespace

Problems check_dns1123_label(std::string_view text) {
  Problems problems;
  if (text.size() > kLabelMax) problems.push_back(too_long(kLabelMax, "characters"));
  if (is_dns_label(text)) return problems;
  if (is_dns_subdomain(text)) {
    problems.emplace_back("must not contain dots");
  } else {
    problems.push_back(
        breaks_pattern("a lowercase RFC 1123 label must consist of lower case alphanumeric "
                       "characters or '-', and must start and end with an alphanumeric character",
                       "[a-z0-9]([-a-z0-9]*[a-z0-9])?", {"my-name", "123-abc"}));
  }
  return problems;
}

Problems check_dns1123_subdomain(std::string_view text) {
  return check_subdomain(text, "characters");
}

Problems check_dns1035_label(std::string_view text) {
  Problems problems;
  if (text.size() > kLabelMax) problems.push_back(too_long(kLabelMax, "characters"));
  if (!is_dns_label(text) || !is_lower(text.front())) {
    problems.push_back(breaks_pattern(
        "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an "
        "alphabetic character, and end with an alphanumeric character",
        "[a-z]([-a-z0-9]*[a-z0-9])?", {"my-name", "abc-123"}));
  }
  return problems;
}

Problems check_label_value(std::string_view text) {
  Problems problems;
  if (text.size() > kLabelMax) problems.push_back(too_long(kLabelMax));
  if (!text.empty() && !is_name(text)) {
    problems.push_back(breaks_pattern(
        fmt::format("a valid label must be an empty string or {}", kNameRule.substr(5)),
        fmt::format("({})?", kNamePattern), {"MyValue", "my_value", "12345"}));
  }
  return problems;
}

Problems check_qualified_name(std::string_view text) {
  Problems problems;
  std::string_view name = text;
  if (const std::size_t slash = text.find('/'); slash != std::string_view::npos) {
    const std::string_view prefix = text.substr(0, slash);
    name = text.substr(slash + 1);
    if (name.find('/') != std::string_view::npos) {
      return {
          fmt::format("a valid label key {} with an optional DNS subdomain prefix and '/' (e.g. "
                      "'example.com/MyName')",
                      breaks_name_pattern())};
    }
    if (prefix.empty()) {
      problems.emplace_back("prefix part must be non-empty");
    } else {
      for (const std::string& problem : check_subdomain(prefix, "bytes")) {
        problems.push_back("prefix part " + problem);
      }
    }
  }
  if (name.empty()) {
    problems.emplace_back("name part must be non-empty");
  } else if (name.size() > kLabelMax) {
    problems.push_back("name part " + too_long(kLabelMax));
  }
  if (!is_name(name)) problems.push_back("name part " + breaks_name_pattern());
  return problems;
}

}  // namespace berth::api

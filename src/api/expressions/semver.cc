#include "api/expressions/semver.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/strings.h"

namespace berth::api {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_identifier_character(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
}

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_digit);
}

bool has_leading_zero(std::string_view text) { return text.size() > 1 && text[0] == '0'; }

Result<std::uint64_t> parse_part(std::string_view name, std::string_view text) {
  if (!std::ranges::all_of(text, is_digit)) {
    return failure(Code::Invalid,
                   fmt::format("Invalid character(s) found in {} number {}", name, quote(text)));
  }
  if (has_leading_zero(text)) {
    std::string capital(name);
    capital[0] = static_cast<char>(capital[0] - 'a' + 'A');
    return failure(Code::Invalid, fmt::format("{} number must not contain leading zeroes {}",
                                              capital, quote(text)));
  }
  const auto number = parse_uint64(text);
  if (!number) {
    return failure(Code::Invalid,
                   fmt::format("strconv.ParseUint: parsing {}: {}", quote(text),
                               text.empty() ? "invalid syntax" : "value out of range"));
  }
  return *number;
}

Result<std::vector<std::string>> parse_prerelease(std::string_view text) {
  std::vector<std::string> parts;
  for (const std::string_view part : split(text, '.')) {
    if (part.empty()) return failure(Code::Invalid, "Prerelease is empty");
    if (is_number(part) && has_leading_zero(part)) {
      return failure(Code::Invalid,
                     "Numeric PreRelease version must not contain leading zeroes " + quote(part));
    }
    if (!std::ranges::all_of(part, is_identifier_character)) {
      return failure(Code::Invalid, "Invalid character(s) found in prerelease " + quote(part));
    }
    parts.emplace_back(part);
  }
  return parts;
}

Result<std::vector<std::string>> parse_build(std::string_view text) {
  std::vector<std::string> parts;
  for (const std::string_view part : split(text, '.')) {
    if (part.empty()) return failure(Code::Invalid, "Build meta data is empty");
    if (!std::ranges::all_of(part, is_identifier_character)) {
      return failure(Code::Invalid, "Invalid character(s) found in build meta data " + quote(part));
    }
    parts.emplace_back(part);
  }
  return parts;
}

// Numbers come before words, and are compared as numbers.
std::weak_ordering compare_identifiers(const std::string& a, const std::string& b) {
  if (is_number(a) && is_number(b)) {
    // Without leading zeros, the longer number is the larger.
    if (a.size() != b.size()) return a.size() <=> b.size();
    return a <=> b;
  }
  if (is_number(a) != is_number(b)) {
    return is_number(a) ? std::weak_ordering::less : std::weak_ordering::greater;
  }
  return a <=> b;
}

// Without leading zeros, but never empty.
std::string without_zeros(std::string_view part) {
  if (part.size() <= 1) return std::string(part);
  const std::size_t first = std::min(part.find_first_not_of('0'), part.size());
  const std::string_view rest = part.substr(first);
  const bool needs_zero = rest.empty() || !is_digit(rest[0]);
  return (needs_zero ? "0" : "") + std::string(rest);
}

}  // namespace

Result<SemanticVersion> SemanticVersion::parse(std::string_view text) {
  if (text.empty()) return failure(Code::Invalid, "Version string empty");
  const std::size_t first = text.find('.');
  const std::size_t second = first == std::string_view::npos ? first : text.find('.', first + 1);
  if (second == std::string_view::npos) {
    return failure(Code::Invalid, "No Major.Minor.Patch elements found");
  }
  SemanticVersion version;
  ASSIGN_OR_RETURN(version.numbers_[0], parse_part("major", text.substr(0, first)));
  ASSIGN_OR_RETURN(version.numbers_[1],
                   parse_part("minor", text.substr(first + 1, second - first - 1)));
  std::string_view rest = text.substr(second + 1);
  if (const std::size_t plus = rest.find('+'); plus != std::string_view::npos) {
    ASSIGN_OR_RETURN(version.build_, parse_build(rest.substr(plus + 1)));
    rest = rest.substr(0, plus);
  }
  if (const std::size_t dash = rest.find('-'); dash != std::string_view::npos) {
    ASSIGN_OR_RETURN(version.prerelease_, parse_prerelease(rest.substr(dash + 1)));
    rest = rest.substr(0, dash);
  }
  ASSIGN_OR_RETURN(version.numbers_[2], parse_part("patch", rest));
  return version;
}

Result<SemanticVersion> SemanticVersion::parse_normalized(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  std::vector<std::string> parts;
  while (parts.size() < 2 && text.find('.') != std::string_view::npos) {
    const std::size_t dot = text.find('.');
    parts.push_back(without_zeros(text.substr(0, dot)));
    text.remove_prefix(dot + 1);
  }
  parts.push_back(without_zeros(text));
  if (parts.size() < 3) {
    if (parts.back().find_first_of("+-") != std::string::npos) {
      return failure(Code::Invalid, "short version cannot contain PreRelease/Build meta data");
    }
    parts.resize(3, "0");
  }
  return parse(join(parts, "."));
}

std::string SemanticVersion::to_string() const {
  std::string text = fmt::format("{}.{}.{}", numbers_[0], numbers_[1], numbers_[2]);
  if (!prerelease_.empty()) text += "-" + join(prerelease_, ".");
  if (!build_.empty()) text += "+" + join(build_, ".");
  return text;
}

std::weak_ordering operator<=>(const SemanticVersion& a, const SemanticVersion& b) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (a.numbers_[i] != b.numbers_[i]) return a.numbers_[i] <=> b.numbers_[i];
  }
  // A version with a pre-release comes before the one without.
  if (a.prerelease_.empty() || b.prerelease_.empty()) {
    return a.prerelease_.empty() <=> b.prerelease_.empty();
  }
  const std::size_t shared = std::min(a.prerelease_.size(), b.prerelease_.size());
  for (std::size_t i = 0; i < shared; ++i) {
    const auto order = compare_identifiers(a.prerelease_[i], b.prerelease_[i]);
    if (order != 0) return order;
  }
  return a.prerelease_.size() <=> b.prerelease_.size();
}

}  // namespace berth::api

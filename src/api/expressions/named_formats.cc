#include "api/expressions/named_formats.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>

#include "api/expressions/url.h"
#include "base/strings.h"

namespace berth::api {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// A prefix may end in a dash, because more comes after it.
template <Problems (*check)(std::string_view)>
Problems check_prefix(std::string_view text) {
  if (text.size() < 2 || !text.ends_with('-')) return check(text);
  return check(std::string(text.substr(0, text.size() - 2)) + "a");
}

Problems check_uri(std::string_view text) {
  const auto url = Url::parse(text);
  if (url.ok()) return {};
  return {url.error().message};
}

bool is_uuid(std::string_view text) {
  for (const std::size_t digits : {8U, 4U, 4U, 4U, 12U}) {
    if (digits != 8 && text.starts_with('-')) text.remove_prefix(1);
    if (text.size() < digits || !std::ranges::all_of(text.substr(0, digits), is_hex)) return false;
    text.remove_prefix(digits);
  }
  return text.empty();
}

Problems check_uuid(std::string_view text) {
  if (is_uuid(text)) return {};
  return {"does not match the UUID format"};
}

// Standard base64 with padding; line breaks are ignored.
bool is_base64(std::string_view text) {
  std::string digits;
  std::ranges::copy_if(text, std::back_inserter(digits),
                       [](char c) { return c != '\n' && c != '\r'; });
  if (digits.size() % 4 != 0) return false;
  const std::size_t padding = digits.ends_with("==") ? 2 : digits.ends_with('=') ? 1 : 0;
  return std::ranges::all_of(
      std::string_view(digits).substr(0, digits.size() - padding),
      [](char c) { return is_digit(c) || is_letter(c) || c == '+' || c == '/'; });
}

Problems check_byte(std::string_view text) {
  if (is_base64(text)) return {};
  return {"invalid base64"};
}

// Exactly `count` digits at the front.
std::optional<int> take_number(std::string_view& text, std::size_t count) {
  if (text.size() < count || !std::ranges::all_of(text.substr(0, count), is_digit)) {
    return std::nullopt;
  }
  int number = 0;
  for (const char c : text.substr(0, count)) number = number * 10 + (c - '0');
  text.remove_prefix(count);
  return number;
}

bool take(std::string_view& text, char wanted) {
  if (!text.starts_with(wanted)) return false;
  text.remove_prefix(1);
  return true;
}

bool take_date(std::string_view& text) {
  const auto year = take_number(text, 4);
  if (!year || !take(text, '-')) return false;
  const auto month = take_number(text, 2);
  if (!month || !take(text, '-')) return false;
  const auto day = take_number(text, 2);
  if (!day) return false;
  return std::chrono::year_month_day(std::chrono::year(*year),
                                     std::chrono::month(static_cast<unsigned>(*month)),
                                     std::chrono::day(static_cast<unsigned>(*day)))
      .ok();
}

Problems check_date(std::string_view text) {
  if (take_date(text) && text.empty()) return {};
  return {"invalid date"};
}

bool is_datetime(std::string_view text) {
  if (!take_date(text) || (!take(text, 't') && !take(text, 'T'))) return false;
  for (const int max : {23, 59, 59}) {
    if (max == 59 && !take(text, ':')) return false;
    const auto number = take_number(text, 2);
    if (!number || *number > max) return false;
  }
  // A fraction after any one character, as the reference has it.
  if (text.size() > 1 && !is_letter(text[0]) && is_digit(text[1]) && text[0] != '+' &&
      text[0] != '-') {
    text.remove_prefix(1);
    text.remove_prefix(std::min(text.find_first_not_of("0123456789"), text.size()));
  }
  if (text == "z" || text == "Z") return true;
  if (!take(text, '+') && !take(text, '-')) return false;
  return take_number(text, 2) && take(text, ':') && take_number(text, 2) && text.empty();
}

Problems check_datetime(std::string_view text) {
  if (is_datetime(text)) return {};
  return {"invalid datetime"};
}

constexpr NamedFormat kFormats[kNamedFormatCount] = {
    {"dns1123Label", check_dns1123_label},
    {"dns1123Subdomain", check_dns1123_subdomain},
    {"dns1035Label", check_dns1035_label},
    {"qualifiedName", check_qualified_name},
    {"dns1123LabelPrefix", check_prefix<check_dns1123_label>},
    {"dns1123SubdomainPrefix", check_prefix<check_dns1123_subdomain>},
    {"dns1035LabelPrefix", check_prefix<check_dns1035_label>},
    {"labelValue", check_label_value},
    {"uri", check_uri},
    {"uuid", check_uuid},
    {"byte", check_byte},
    {"date", check_date},
    {"datetime", check_datetime},
};

}  // namespace

std::span<const NamedFormat, kNamedFormatCount> named_formats() { return kFormats; }

const NamedFormat* find_format(std::string_view name) {
  const auto* found = std::ranges::find(kFormats, name, &NamedFormat::name);
  return found == std::end(kFormats) ? nullptr : found;
}

}  // namespace berth::api

#include "apiserver/schema/formats.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <re2/re2.h>

#include "api/expressions/ip_address.h"
#include "api/expressions/named_formats.h"
#include "api/names.h"
#include "base/strings.h"
#include "cel/source.h"
#include "cel/time_arithmetic.h"

namespace berth::apiserver {
namespace {

constexpr std::pair<std::string_view, Format> kNames[] = {
    {"bsonobjectid", Format::BsonObjectId},
    {"byte", Format::Byte},
    {"cidr", Format::Cidr},
    {"creditcard", Format::CreditCard},
    {"date", Format::Date},
    {"datetime", Format::DateTime},
    {"duration", Format::Duration},
    {"email", Format::Email},
    {"hexcolor", Format::HexColor},
    {"hostname", Format::Hostname},
    {"ipv4", Format::Ipv4},
    {"ipv6", Format::Ipv6},
    {"isbn", Format::Isbn},
    {"isbn10", Format::Isbn10},
    {"isbn13", Format::Isbn13},
    {"k8slongname", Format::LongName},
    {"k8sshortname", Format::ShortName},
    {"mac", Format::Mac},
    {"password", Format::Password},
    {"rgbcolor", Format::RgbColor},
    {"ssn", Format::Ssn},
    {"uri", Format::Uri},
    {"uuid", Format::Uuid},
    {"uuid3", Format::Uuid3},
    {"uuid4", Format::Uuid4},
    {"uuid5", Format::Uuid5},
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

bool is_named(std::string_view text, std::string_view format) {
  return api::find_format(format)->check(text).empty();
}

// A UUID whose version and, if it has one of the newer versions, variant are right.
bool is_uuid_of(std::string_view text, char version) {
  if (!is_named(text, "uuid")) return false;
  std::string digits;
  std::ranges::copy_if(text, std::back_inserter(digits), [](char c) { return c != '-'; });
  if (digits[12] != version) return false;
  return version == '3' || std::string_view("89abAB").contains(digits[16]);
}

// Leading zeros are tolerated, as in Go before 1.17.
std::string without_leading_zeros(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool starts = i == 0 || !is_digit(text[i - 1]);
    if (starts && text[i] == '0') {
      while (i + 1 < text.size() && text[i] == '0' && is_digit(text[i + 1])) ++i;
    }
    result += text[i];
  }
  return result;
}

bool is_ipv4(std::string_view text) {
  if (!text.contains('.')) return false;
  return api::IpAddress::parse(text.contains(':') ? std::string(text) : without_leading_zeros(text))
      .has_value();
}

bool is_ipv6(std::string_view text) {
  return text.contains(':') && api::IpAddress::parse(text).has_value();
}

bool is_cidr(std::string_view text) {
  return api::IpNetwork::parse(text.contains(':') ? std::string(text) : without_leading_zeros(text))
      .has_value();
}

// 6, 8 or 20 octets in hexadecimal: pairs after ':' or '-', or fours after '.'.
bool is_mac(std::string_view text) {
  if (text.size() < 14) return false;
  const bool is_dotted = text[4] == '.';
  const char separator = is_dotted ? '.' : text[2];
  if (!is_dotted && separator != ':' && separator != '-') return false;
  const std::size_t digits = is_dotted ? 4 : 2;
  std::size_t octets = 0;
  for (const std::string_view part : split(text, separator)) {
    if (part.size() != digits || !std::ranges::all_of(part, is_hex)) return false;
    octets += digits / 2;
  }
  return octets == 6 || octets == 8 || octets == 20;
}

std::string only_of(std::string_view text, std::string_view dropped) {
  std::string kept;
  std::ranges::copy_if(text, std::back_inserter(kept),
                       [dropped](char c) { return !dropped.contains(c); });
  return kept;
}

bool is_isbn10(std::string_view text) {
  const std::string digits = only_of(text, "- \t\n\r\f\v");
  if (digits.size() != 10) return false;
  int sum = 0;
  for (int i = 0; i < 10; ++i) {
    const char c = digits[static_cast<std::size_t>(i)];
    if (!is_digit(c) && !(i == 9 && c == 'X')) return false;
    sum += (i + 1) * (c == 'X' ? 10 : c - '0');
  }
  return sum % 11 == 0;
}

bool is_isbn13(std::string_view text) {
  const std::string digits = only_of(text, "- \t\n\r\f\v");
  if (digits.size() != 13 || !std::ranges::all_of(digits, is_digit)) return false;
  int sum = 0;
  for (std::size_t i = 0; i < 13; ++i) sum += (i % 2 == 0 ? 1 : 3) * (digits[i] - '0');
  return sum % 10 == 0;
}

bool passes_luhn(std::string_view digits) {
  int sum = 0;
  bool is_doubled = false;
  for (std::size_t i = digits.size(); i-- > 0; is_doubled = !is_doubled) {
    const int digit = (digits[i] - '0') * (is_doubled ? 2 : 1);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 == 0;
}

bool matches(std::string_view text, const re2::RE2& pattern) {
  return re2::RE2::FullMatch(re2::StringPiece(text.data(), text.size()), pattern);
}

bool is_credit_card(std::string_view text) {
  static const re2::RE2 kPattern(
      "4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|(222[1-9]|22[3-9][0-9]|2[3-6][0-9]{2}|27[01][0-9]|"
      "2720)[0-9]{12}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|"
      "(?:2131|1800|35[0-9]{3})[0-9]{11}|6[27][0-9]{14}");
  std::string digits;
  std::ranges::copy_if(text, std::back_inserter(digits), is_digit);
  return matches(digits, kPattern) && passes_luhn(digits);
}

bool is_ssn(std::string_view text) {
  static const re2::RE2 kPattern("[0-9]{3}[- ]?[0-9]{2}[- ]?[0-9]{4}");
  return text.size() == 11 && matches(text, kPattern);
}

bool is_hex_color(std::string_view text) {
  if (text.starts_with('#')) text.remove_prefix(1);
  return (text.size() == 3 || text.size() == 6) && std::ranges::all_of(text, is_hex);
}

bool is_rgb_color(std::string_view text) {
  static const re2::RE2 kPattern(
      R"(rgb\(\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*,\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*,)"
      R"(\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*\))");
  return matches(text, kPattern);
}

enum class Letter { Alphabetic, Word, Dash, Other };  // Digits and symbols are words.

Letter letter_of(std::string_view code_point) {
  static const re2::RE2 kAlphabetic(R"(\p{L})");
  static const re2::RE2 kWord(R"([0-9]|\p{S})");
  if (code_point == "-") return Letter::Dash;
  if (matches(code_point, kAlphabetic)) return Letter::Alphabetic;
  return matches(code_point, kWord) ? Letter::Word : Letter::Other;
}

std::vector<Letter> letters_of(std::string_view label) {
  std::vector<Letter> letters;
  while (!label.empty()) {
    const std::size_t length = std::min(cel::code_point_length(label), label.size());
    letters.push_back(letter_of(label.substr(0, length)));
    label.remove_prefix(length);
  }
  return letters;
}

bool is_word(Letter letter) { return letter == Letter::Alphabetic || letter == Letter::Word; }

// A name without dots may have a dash only after its first letter: so the reference has it.
bool is_single_label(std::span<const Letter> letters) {
  if (letters.empty() || !is_word(letters[0])) return false;
  letters = letters.subspan(1);
  if (!letters.empty() && letters[0] == Letter::Dash) letters = letters.subspan(1);
  return letters.size() <= 62 && std::ranges::all_of(letters, is_word);
}

bool is_inner_label(std::span<const Letter> letters) {
  return !letters.empty() && letters.size() <= 63 && is_word(letters.front()) &&
         is_word(letters.back()) &&
         std::ranges::all_of(letters, [](Letter it) { return it != Letter::Other; });
}

bool is_top_label(std::span<const Letter> letters) {
  return letters.size() >= 2 && letters.size() <= 63 &&
         std::ranges::all_of(letters, [](Letter it) { return it == Letter::Alphabetic; });
}

bool is_hostname(std::string_view text) {
  if (text.size() > 255) return false;
  const auto labels = split(text, '.');
  const bool fits = std::ranges::all_of(labels, [](auto label) { return label.size() <= 63; });
  if (labels.size() == 1 || !fits) return fits && is_single_label(letters_of(text));
  return is_top_label(letters_of(labels.back())) &&
         std::ranges::all_of(std::span(labels).first(labels.size() - 1),
                             [](auto label) { return is_inner_label(letters_of(label)); });
}

// An address with or without a name before it: "Jo <jo@example.com>".
bool is_email(std::string_view text) {
  static const re2::RE2 kAddress(
      R"([^\s()<>\[\]:;@\\,".]+(\.[^\s()<>\[\]:;@\\,".]+)*@)"
      R"(([^\s()<>\[\]:;@\\,".]+(\.[^\s()<>\[\]:;@\\,".]+)*|\[[^\s\[\]\\]*\]))");
  static const re2::RE2 kQuoted(
      R"("(\\.|[^"\\])*"@([^\s()<>\[\]:;@\\,".]+(\.[^\s()<>\[\]:;@\\,".]+)*))");
  text = trim(text);
  if (text.ends_with('>')) {
    const std::size_t open = text.find('<');
    if (open == std::string_view::npos) return false;
    text = text.substr(open + 1, text.size() - open - 2);
  }
  return matches(text, kAddress) || matches(text, kQuoted);
}

// Go's notation, or numbers with spelled units ("3 days").
bool is_duration(std::string_view text) {
  if (cel::parse_duration(text).has_value()) return true;
  static const re2::RE2 kPart(R"((\d+)\s*([A-Za-z]+))");
  constexpr std::string_view kExact[] = {"ns", "us", "ms", "s", "m", "h", "hr", "d", "w", "wk"};
  constexpr std::string_view kStarts[] = {"nano", "micro", "milli", "sec",
                                          "min",  "hour",  "day",   "week"};
  re2::StringPiece rest(text.data(), text.size());
  std::string number;
  std::string unit;
  bool found = false;
  while (re2::RE2::FindAndConsume(&rest, kPart, &number, &unit)) {
    if (!parse_int64(number)) return false;
    const std::string lower = lower_ascii(unit);
    found =
        found || std::ranges::find(kExact, lower) != std::end(kExact) ||
        std::ranges::any_of(kStarts, [&](std::string_view it) { return lower.starts_with(it); });
  }
  return found;
}

bool is_bson_object_id(std::string_view text) {
  return text.size() == 24 && std::ranges::all_of(text, is_hex);
}

// As a DNS label or subdomain, but every part may be as long as the whole.
bool is_long_name(std::string_view text) {
  static const re2::RE2 kPattern(
      "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
  return text.size() <= 253 && matches(text, kPattern);
}

bool has_number_format(std::string_view text, Format format) {
  switch (format) {
    case Format::Isbn:
      return is_isbn10(text) || is_isbn13(text);
    case Format::Isbn10:
      return is_isbn10(text);
    case Format::Isbn13:
      return is_isbn13(text);
    case Format::CreditCard:
      return is_credit_card(text);
    case Format::Ssn:
      return is_ssn(text);
    case Format::Uuid3:
      return is_uuid_of(text, '3');
    case Format::Uuid4:
      return is_uuid_of(text, '4');
    case Format::Uuid5:
      return is_uuid_of(text, '5');
    default:
      return true;
  }
}

}  // namespace

Format find_format(std::string_view name) {
  const std::string plain = only_of(name, "-");
  const auto* found = std::ranges::lower_bound(kNames, std::string_view(plain), {},
                                               &std::pair<std::string_view, Format>::first);
  return found != std::end(kNames) && found->first == plain ? found->second : Format::None;
}

bool has_format(std::string_view text, Format format) {
  switch (format) {
    case Format::None:
    case Format::Password:
      return true;
    case Format::BsonObjectId:
      return is_bson_object_id(text);
    case Format::Uri:
      return is_named(text, "uri");
    case Format::Email:
      return is_email(text);
    case Format::Hostname:
      return is_hostname(text);
    case Format::Ipv4:
      return is_ipv4(text);
    case Format::Ipv6:
      return is_ipv6(text);
    case Format::Cidr:
      return is_cidr(text);
    case Format::Mac:
      return is_mac(text);
    case Format::Uuid:
      return is_named(text, "uuid");
    case Format::HexColor:
      return is_hex_color(text);
    case Format::RgbColor:
      return is_rgb_color(text);
    case Format::Byte:
      return is_named(text, "byte");
    case Format::Date:
      return is_named(text, "date");
    case Format::Duration:
      return is_duration(text);
    case Format::DateTime:
      return is_named(text, "datetime");
    case Format::ShortName:
      return api::check_dns1123_label(text).empty();
    case Format::LongName:
      return is_long_name(text);
    default:
      return has_number_format(text, format);
  }
}

}  // namespace berth::apiserver

#include "json/yaml_scalar.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "base/strings.h"
#include "json/number.h"

namespace berth::json {
namespace {

// Go's %g changes to an exponent at 1e6 for the shortest form of a number.
constexpr std::int64_t kExponentFrom = 6;

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

// The scalars that are spelled out.
std::optional<YamlScalar> resolve_word(std::string_view text) {
  constexpr std::string_view kTrue[] = {"y",    "Y",    "yes", "Yes", "YES", "true",
                                        "True", "TRUE", "on",  "On",  "ON"};
  constexpr std::string_view kFalse[] = {"n",     "N",     "no",  "No",  "NO", "false",
                                         "False", "FALSE", "off", "Off", "OFF"};
  constexpr std::string_view kNull[] = {"", "~", "null", "Null", "NULL"};
  constexpr std::string_view kNan[] = {".nan", ".NaN", ".NAN"};
  constexpr std::string_view kInfinity[] = {".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"};
  constexpr std::string_view kMinusInfinity[] = {"-.inf", "-.Inf", "-.INF"};
  const auto among = [&](const auto& words) {
    return std::ranges::find(words, text) != std::ranges::end(words);
  };
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  if (among(kTrue)) return YamlScalar{.type = YamlType::Boolean, .value = true};
  if (among(kFalse)) return YamlScalar{.type = YamlType::Boolean, .value = false};
  if (among(kNull)) return YamlScalar{.type = YamlType::Null};
  if (among(kNan)) return YamlScalar{.type = YamlType::Float, .real = std::nan("")};
  if (among(kInfinity)) return YamlScalar{.type = YamlType::Float, .real = kInfinite};
  if (among(kMinusInfinity)) return YamlScalar{.type = YamlType::Float, .real = -kInfinite};
  return std::nullopt;
}

// The digits in that base, all of them, with an optional sign.
std::optional<Value> parse_signed(std::string_view digits, int base) {
  std::int64_t number = 0;
  if (digits.starts_with('+')) {
    digits.remove_prefix(1);
    if (digits.starts_with('-')) return std::nullopt;
  }
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, number, base);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return Value(number);
}

std::optional<Value> parse_unsigned(std::string_view digits, int base) {
  std::uint64_t number = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, number, base);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return Value(number);
}

struct BasedDigits {
  int base;
  std::string_view digits;
};

BasedDigits split_base(std::string_view text) {
  if (text.size() < 2 || text[0] != '0') return {10, text};
  switch (text[1]) {
    case 'x':
    case 'X':
      return {16, text.substr(2)};
    case 'o':
    case 'O':
      return {8, text.substr(2)};
    case 'b':
    case 'B':
      return {2, text.substr(2)};
    default:
      return {8, text.substr(1)};
  }
}

// `text` has no underscores any more.
std::optional<Value> resolve_integer(std::string_view text) {
  std::string sign;
  std::string_view rest = text;
  if (rest.starts_with('+') || rest.starts_with('-')) {
    sign = rest.substr(0, 1);
    rest.remove_prefix(1);
  }
  const auto [base, digits] = split_base(rest);
  const bool digits_first = !digits.empty() && digits[0] != '+' && digits[0] != '-';
  if (digits_first) {
    if (auto number = parse_signed(sign + std::string(digits), base)) return number;
    if (sign.empty()) {
      if (auto number = parse_unsigned(digits, base)) return number;
    }
  }
  // go-yaml takes a sign behind the prefix too, for binary numbers only.
  if (text.starts_with("0b")) return parse_signed(text.substr(2), 2);
  return std::nullopt;
}

std::string_view after_digits(std::string_view text) {
  const auto end = std::ranges::find_if_not(text, is_digit);
  return text.substr(static_cast<std::size_t>(end - text.begin()));
}

// [-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?
bool looks_like_float(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  std::string_view rest = after_digits(text);
  const bool whole = rest.size() < text.size();
  if (rest.starts_with('.')) {
    const std::string_view fraction = rest.substr(1);
    rest = after_digits(fraction);
    if (!whole && rest.size() == fraction.size()) return false;
  } else if (!whole) {
    return false;
  }
  if (rest.starts_with('e') || rest.starts_with('E')) {
    std::string_view exponent = rest.substr(1);
    if (exponent.starts_with('+') || exponent.starts_with('-')) exponent.remove_prefix(1);
    rest = after_digits(exponent);
    if (rest.size() == exponent.size()) return false;
  }
  return rest.empty();
}

std::optional<double> resolve_float(std::string_view text) {
  if (!looks_like_float(text)) return std::nullopt;
  if (text.starts_with('+')) text.remove_prefix(1);
  const double number = to_double(text);
  if (std::isinf(number)) return std::nullopt;
  return number;
}

// Reads the parts of a timestamp one after the other.
class TimestampReader {
 public:
  explicit TimestampReader(std::string_view text) : rest_(text) {}

  // A number of `digits_min` to `digits_max` digits; -1 if there is none.
  int number(std::size_t digits_min, std::size_t digits_max) {
    std::size_t count = 0;
    while (count < digits_max && count < rest_.size() && is_digit(rest_[count])) ++count;
    if (count < digits_min) return -1;
    int value = 0;
    for (const char digit : rest_.substr(0, count)) value = value * 10 + (digit - '0');
    rest_.remove_prefix(count);
    return value;
  }

  bool one_of(std::string_view letters) {
    if (rest_.empty() || letters.find(rest_[0]) == std::string_view::npos) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void skip_fraction() {
    const bool fraction =
        rest_.size() > 1 && (rest_[0] == '.' || rest_[0] == ',') && is_digit(rest_[1]);
    if (fraction) rest_ = after_digits(rest_.substr(1));
  }

  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

bool in_range(int number, int low, int high) { return number >= low && number <= high; }

// 2006-1-2, with a time behind a T, t or blank; with T or t a zone has to follow.
bool is_timestamp(std::string_view text) {
  TimestampReader reader(text);
  const int year = reader.number(4, 4);
  if (year < 0 || !reader.one_of("-")) return false;
  const int month = reader.number(1, 2);
  if (!in_range(month, 1, 12) || !reader.one_of("-")) return false;
  const int day = reader.number(1, 2);
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (day < 1 || !date.ok()) return false;
  if (reader.at_end()) return true;

  const bool zoned = reader.one_of("Tt");
  if (!zoned && !reader.one_of(" ")) return false;
  if (!in_range(reader.number(1, 2), 0, 23) || !reader.one_of(":")) return false;
  if (!in_range(reader.number(1, 2), 0, 59) || !reader.one_of(":")) return false;
  if (!in_range(reader.number(1, 2), 0, 59)) return false;
  reader.skip_fraction();
  if (!zoned || reader.one_of("Z")) return reader.at_end();
  return reader.one_of("+-") && in_range(reader.number(2, 2), 0, 24) && reader.one_of(":") &&
         in_range(reader.number(2, 2), 0, 60) && reader.at_end();
}

YamlScalar float_scalar(double number) { return {.type = YamlType::Float, .real = number}; }

}  // namespace

YamlScalar resolve_plain(std::string_view text) {
  if (auto word = resolve_word(text)) return std::move(*word);
  const char first = text[0];  // The empty text is a word.
  if (first == '.') {
    const auto number = resolve_float(text);
    return number ? float_scalar(*number) : YamlScalar{};
  }
  if (!is_digit(first) && first != '+' && first != '-') return {};
  if (is_timestamp(text)) return {.type = YamlType::Timestamp};
  std::string digits(text);
  std::erase(digits, '_');
  if (auto number = resolve_integer(digits)) {
    return {.type = YamlType::Integer, .value = std::move(*number)};
  }
  const auto number = resolve_float(digits);
  return number ? float_scalar(*number) : YamlScalar{};
}

std::string print_yaml_float(double number, FloatWidth width) {
  if (std::isnan(number)) return ".nan";
  if (std::isinf(number)) return number > 0 ? ".inf" : "-.inf";
  const auto print_as = [&](std::chars_format form) {
    char buffer[64];
    const auto end =
        width == FloatWidth::Bits32
            ? std::to_chars(buffer, buffer + sizeof buffer, static_cast<float>(number), form)
            : std::to_chars(buffer, buffer + sizeof buffer, number, form);
    return std::string(buffer, end.ptr);
  };
  const std::string scientific = print_as(std::chars_format::scientific);
  const std::size_t mark = scientific.find('e');
  const auto exponent =
      parse_int64(scientific.substr(mark + (scientific[mark + 1] == '+' ? 2 : 1)));
  if (number != 0 && (exponent < -4 || exponent >= kExponentFrom)) return scientific;
  return print_as(std::chars_format::fixed);
}

}  // namespace berth::json

#include "json/number.h"

#include <charconv>
#include <cmath>
#include <limits>

#include "base/strings.h"

namespace berth::json {
namespace {

// A number as sign, digits without outer zeros, and the power of ten of its last digit.
struct Decimal {
  bool negative = false;
  std::string digits = {};  // Empty for zero.
  std::int64_t exponent = 0;

  bool operator==(const Decimal&) const = default;
};

std::int64_t parse_exponent(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  if (const auto exponent = parse_int64(text)) return *exponent;
  // Beyond any number that can be compared by value; equal texts are equal anyway.
  return text.starts_with('-') ? std::numeric_limits<std::int32_t>::min()
                               : std::numeric_limits<std::int32_t>::max();
}

Decimal decimal_of(std::string_view text) {
  Decimal result;
  if (text.starts_with('-')) {
    result.negative = true;
    text.remove_prefix(1);
  }
  const std::size_t mark = text.find_first_of("eE");
  std::string_view mantissa = text.substr(0, mark);
  if (mark != std::string_view::npos) result.exponent = parse_exponent(text.substr(mark + 1));

  const std::size_t point = mantissa.find('.');
  result.digits = mantissa.substr(0, point);
  if (point != std::string_view::npos) {
    const std::string_view fraction = mantissa.substr(point + 1);
    result.digits += fraction;
    result.exponent -= static_cast<std::int64_t>(fraction.size());
  }
  const std::size_t last = result.digits.find_last_not_of('0');
  if (last == std::string::npos) return {};
  result.exponent += static_cast<std::int64_t>(result.digits.size() - last - 1);
  result.digits.erase(last + 1);
  result.digits.erase(0, result.digits.find_first_not_of('0'));
  return result;
}

bool is_canonical_integer(std::string_view text) {
  return text != "-0" && text.find_first_of(".eE") == std::string_view::npos;
}

// The text after its leading digits.
std::string_view skip_digits(std::string_view text) {
  std::size_t count = 0;
  while (count < text.size() && text[count] >= '0' && text[count] <= '9') ++count;
  return text.substr(count);
}

}  // namespace

bool is_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  std::string_view rest = skip_digits(text);
  if (rest.size() == text.size()) return false;
  if (text.starts_with('0') && text.size() - rest.size() > 1) return false;
  if (rest.starts_with('.')) {
    const std::string_view fraction = rest.substr(1);
    rest = skip_digits(fraction);
    if (rest.size() == fraction.size()) return false;
  }
  if (rest.starts_with('e') || rest.starts_with('E')) {
    std::string_view exponent = rest.substr(1);
    if (exponent.starts_with('+') || exponent.starts_with('-')) exponent.remove_prefix(1);
    rest = skip_digits(exponent);
    if (rest.size() == exponent.size()) return false;
  }
  return rest.empty();
}

std::optional<std::int64_t> exact_int64(std::string_view text) {
  if (!is_canonical_integer(text)) return std::nullopt;
  return parse_int64(text);
}

std::optional<std::uint64_t> exact_uint64(std::string_view text) {
  if (!is_canonical_integer(text)) return std::nullopt;
  return parse_uint64(text);
}

double to_double(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc::result_out_of_range) return number;
  const Decimal decimal = decimal_of(text);
  const bool tiny = decimal.exponent + static_cast<std::int64_t>(decimal.digits.size()) < 0;
  const double magnitude = tiny ? 0.0 : std::numeric_limits<double>::infinity();
  return decimal.negative ? -magnitude : magnitude;
}

std::string print_double(double number) {
  if (number == 0) return std::signbit(number) ? "-0" : "0";
  const double magnitude = std::abs(number);
  const auto print_as = [&](std::chars_format form) {
    char buffer[64];
    return std::string(buffer, std::to_chars(buffer, buffer + sizeof buffer, number, form).ptr);
  };
  if (magnitude < 1e-6 || magnitude >= 1e21) {
    std::string text = print_as(std::chars_format::scientific);
    // Go writes e-7, not e-07.
    const std::size_t mark = text.find("e-0");
    if (mark != std::string::npos) text.erase(mark + 2, 1);
    return text;
  }
  constexpr double kExactIntegers = 9007199254740992;  // 2^53
  if (magnitude < kExactIntegers) return print_as(std::chars_format::fixed);
  // to_chars would print all digits of the integer; Go fills up with zeros after the shortest.
  const Decimal decimal = decimal_of(print_as(std::chars_format::scientific));
  return (decimal.negative ? "-" : "") + decimal.digits +
         std::string(static_cast<std::size_t>(decimal.exponent), '0');
}

bool equal_numbers(std::string_view a, std::string_view b) {
  return a == b || decimal_of(a) == decimal_of(b);
}

}  // namespace berth::json

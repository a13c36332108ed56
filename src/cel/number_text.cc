#include "cel/number_text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/strings.h"
#include "json/number.h"

namespace berth::cel {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view take_digits(std::string_view& text) {
  const auto end = std::ranges::find_if_not(text, is_digit);
  const std::string_view digits(text.begin(), end);
  text.remove_prefix(digits.size());
  return digits;
}

}  // namespace

std::optional<double> parse_double(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const std::string lower = lower_ascii(text.substr(0, 9));
  const auto with_sign = [&](double number) { return negative ? -number : number; };
  if (lower == "inf" || lower == "infinity") {
    return with_sign(std::numeric_limits<double>::infinity());
  }
  if (lower == "nan") return std::numeric_limits<double>::quiet_NaN();

  // Rewritten so that it follows JSON's grammar, which the conversion expects.
  std::string_view whole = take_digits(text);
  std::string_view fraction;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    fraction = take_digits(text);
  }
  if (whole.empty() && fraction.empty()) return std::nullopt;
  while (whole.starts_with('0')) whole.remove_prefix(1);
  std::string number(whole.empty() ? "0" : whole);
  if (!fraction.empty()) number += "." + std::string(fraction);
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    number += 'e';
    if (text.starts_with('-') || text.starts_with('+')) {
      number += text[0];
      text.remove_prefix(1);
    }
    const std::string_view exponent = take_digits(text);
    if (exponent.empty()) return std::nullopt;
    number += exponent;
  }
  if (!text.empty()) return std::nullopt;
  const double value = json::to_double(number);
  if (std::isinf(value)) return std::nullopt;
  return with_sign(value);
}

}  // namespace berth::cel

#include "api/wide_integer.h"

#include <algorithm>

#include "base/check.h"
#include "base/strings.h"
#include "json/number.h"

namespace berth::api {
namespace {

std::uint64_t digit_value(char digit) { return static_cast<std::uint64_t>(digit - '0'); }

char digit_of(std::uint64_t value) { return static_cast<char>('0' + value); }

std::strong_ordering compare_magnitudes(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return a.size() <=> b.size();
  return a.compare(b) <=> 0;
}

std::string add_magnitudes(std::string_view longer, std::string_view shorter) {
  if (longer.size() < shorter.size()) std::swap(longer, shorter);
  std::string sum(longer);
  std::uint64_t carry = 0;
  for (std::size_t i = 1; i <= longer.size(); ++i) {
    char& digit = sum[sum.size() - i];
    std::uint64_t value = digit_value(digit) + carry;
    if (i <= shorter.size()) value += digit_value(shorter[shorter.size() - i]);
    digit = digit_of(value % 10);
    carry = value / 10;
  }
  if (carry != 0) sum.insert(sum.begin(), digit_of(carry));
  return sum;
}

// Expects larger >= smaller; may leave leading zeros.
std::string subtract_magnitudes(std::string_view larger, std::string_view smaller) {
  std::string difference(larger);
  std::uint64_t borrow = 0;
  for (std::size_t i = 1; i <= larger.size(); ++i) {
    char& digit = difference[difference.size() - i];
    std::uint64_t value = 10 + digit_value(digit) - borrow;
    if (i <= smaller.size()) value -= digit_value(smaller[smaller.size() - i]);
    digit = digit_of(value % 10);
    borrow = value < 10 ? 1 : 0;
  }
  return difference;
}

}  // namespace

WideInteger::WideInteger(std::int64_t number)
    : negative_(number < 0), digits_(std::to_string(number)) {
  if (negative_) digits_.erase(0, 1);
  trim();
}

WideInteger WideInteger::from_digits(std::string_view digits) {
  WideInteger result;
  result.digits_ = digits;
  result.trim();
  return result;
}

void WideInteger::multiply(std::uint32_t factor) {
  std::uint64_t carry = 0;
  for (std::size_t i = digits_.size(); i-- > 0;) {
    const std::uint64_t value = digit_value(digits_[i]) * factor + carry;
    digits_[i] = digit_of(value % 10);
    carry = value / 10;
  }
  if (carry != 0) digits_.insert(0, std::to_string(carry));
  trim();
}

std::uint32_t WideInteger::divide(std::uint32_t divisor) {
  CHECK(divisor != 0);
  std::uint64_t remainder = 0;
  for (char& digit : digits_) {
    const std::uint64_t value = remainder * 10 + digit_value(digit);
    digit = digit_of(value / divisor);
    remainder = value % divisor;
  }
  trim();
  return static_cast<std::uint32_t>(remainder);
}

void WideInteger::scale_up(std::size_t places) {
  if (!is_zero()) digits_.append(places, '0');
}

bool WideInteger::scale_down(std::size_t places) {
  const std::size_t kept = digits_.size() - std::min(places, digits_.size());
  const bool exact = digits_.find_first_not_of('0', kept) == std::string::npos;
  digits_.resize(kept);
  if (!exact) digits_ = add_magnitudes(digits_, "1");
  trim();
  return exact;
}

std::optional<std::int64_t> WideInteger::to_int64() const {
  if (digits_.size() > 19) return std::nullopt;
  return parse_int64(to_string());
}

double WideInteger::to_double() const { return json::to_double(to_string()); }

std::string WideInteger::to_string() const {
  if (is_zero()) return "0";
  return negative_ ? "-" + digits_ : digits_;
}

WideInteger operator+(const WideInteger& a, const WideInteger& b) {
  WideInteger sum;
  if (a.negative_ == b.negative_) {
    sum.negative_ = a.negative_;
    sum.digits_ = add_magnitudes(a.digits_, b.digits_);
    return sum;
  }
  const bool a_is_larger = compare_magnitudes(a.digits_, b.digits_) >= 0;
  const WideInteger& larger = a_is_larger ? a : b;
  const WideInteger& smaller = a_is_larger ? b : a;
  sum.negative_ = larger.negative_;
  sum.digits_ = subtract_magnitudes(larger.digits_, smaller.digits_);
  sum.trim();
  return sum;
}

std::strong_ordering operator<=>(const WideInteger& a, const WideInteger& b) {
  if (a.negative_ != b.negative_) return b.negative_ <=> a.negative_;
  return a.negative_ ? compare_magnitudes(b.digits_, a.digits_)
                     : compare_magnitudes(a.digits_, b.digits_);
}

void WideInteger::trim() {
  digits_.erase(0, std::min(digits_.find_first_not_of('0'), digits_.size()));
  if (digits_.empty()) negative_ = false;
}

}  // namespace berth::api

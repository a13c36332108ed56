// WideInteger: a whole number of any size, for the few quantities that outgrow 64 bits.
//
// It is kept as decimal digits, because what quantities do is decimal: scaling by powers of ten,
// rounding, comparing and printing are then string operations. It is not meant to be fast.

#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace berth::api {

class WideInteger {
 public:
  WideInteger() = default;  // 0
  explicit WideInteger(std::int64_t number);

  // `digits` are ASCII digits only, most significant first; "" is 0.
  static WideInteger from_digits(std::string_view digits);

  bool is_zero() const { return digits_.empty(); }
  bool is_negative() const { return negative_; }
  void negate() { negative_ = !negative_ && !is_zero(); }

  void multiply(std::uint32_t factor);

  // Truncates towards zero and returns the remainder's magnitude.
  std::uint32_t divide(std::uint32_t divisor);

  // Multiplies by 10^places.
  void scale_up(std::size_t places);

  // Divides by 10^places, rounding away from zero. Says whether nothing had to be rounded.
  bool scale_down(std::size_t places);

  std::optional<std::int64_t> to_int64() const;  // nullopt when it does not fit.
  double to_double() const;                      // To nearest; infinity beyond the range.
  std::string to_string() const;

  // Decimal digits of the magnitude, most significant first; "" for 0.
  std::string_view digits() const { return digits_; }

  friend WideInteger operator+(const WideInteger& a, const WideInteger& b);
  friend std::strong_ordering operator<=>(const WideInteger& a, const WideInteger& b);
  friend bool operator==(const WideInteger& a, const WideInteger& b) = default;

 private:
  void trim();

  bool negative_ = false;  // Never set for 0.
  std::string digits_;     // Without leading zeros.
};

}  // namespace berth::api

// Quantity: an amount of a resource ("250m", "1.5Gi", "3e2"), exact, with Kubernetes' grammar,
// rounding and canonical text.
//
// Differs from Kubernetes' own type only where that one answers nonsense: amounts beyond the last
// suffix keep their suffix when printed (Kubernetes prints 1000E as "1"), whole values that do not
// fit saturate (Kubernetes wraps or answers 0), and what fits no real use is refused by parse().

#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "api/wide_integer.h"
#include "base/result.h"
#include "json/value.h"

namespace berth::api {

struct QuantityText;

class Quantity {
 public:
  // The family of suffixes that an amount is printed with.
  enum class Format : std::uint8_t { DecimalSI, BinarySI, DecimalExponent };

  // Powers of ten that scaled_value() knows by name.
  static constexpr int kNano = -9;
  static constexpr int kMilli = -3;

  // Longer texts and exponents are refused, so that no sum can grow without bound.
  static constexpr std::size_t kTextMax = 512;
  static constexpr int kExponentMax = 999;

  Quantity() = default;  // 0
  explicit Quantity(std::int64_t value, Format format = Format::DecimalSI)
      : value_(value), format_(format) {}
  static Quantity from_milli(std::int64_t milli, Format format = Format::DecimalSI);

  Quantity(const Quantity& other);
  Quantity(Quantity&& other) noexcept = default;
  Quantity& operator=(const Quantity& other);
  Quantity& operator=(Quantity&& other) noexcept = default;
  ~Quantity() = default;

  // Signs, decimals, n u m k M G T P E, Ki to Ei, e and E. More precision than nano is rounded away
  // from zero; binary suffixes are capped at 2^63-1. Errors have Kubernetes' texts.
  static Result<Quantity> parse(std::string_view text);

  // A quantity in an object: a string or a number; null is 0.
  static Result<Quantity> from_json(const json::Value& value);

  // What Kubernetes writes for an amount that it read as `text`: the canonical form, except that
  // some texts which only look canonical ("1.500", "+1", "1E3") stay as they are.
  static Result<std::string> rewrite(std::string_view text);

  // Canonical: the largest suffix that leaves no fraction, in the format it was read in.
  std::string to_string() const;

  Format format() const { return format_; }
  int sign() const;
  bool is_zero() const { return value_ == 0 && !wide_; }

  // In units of 10^scale, rounded away from zero, limited to the range of the type.
  std::int64_t scaled_value(int scale) const;
  std::int64_t value() const { return scaled_value(0); }
  std::int64_t milli_value() const { return scaled_value(kMilli); }

  // The whole number, if Kubernetes' AsInt64 finds one without effort: amounts that were read with
  // more than 18 digits, a fraction and a binary suffix, or 100Ti and more are not among them.
  std::optional<std::int64_t> as_int64() const;

  // mantissa * 10^exponent with the rounding of Kubernetes' AsApproximateFloat64, bit for bit:
  // 700m is 0.7000000000000001.
  double as_approximate_double() const;

  // By amount; the format does not matter.
  friend std::weak_ordering operator<=>(const Quantity& a, const Quantity& b);
  friend bool operator==(const Quantity& a, const Quantity& b) { return a <=> b == 0; }

  // A zero takes the other's format over.
  Quantity& operator+=(const Quantity& other);
  Quantity& operator-=(const Quantity& other) { return *this += -other; }
  friend Quantity operator+(Quantity a, const Quantity& b) { return a += b; }
  friend Quantity operator-(Quantity a, const Quantity& b) { return a -= b; }
  Quantity operator-() const;

 private:
  // How Kubernetes would hold it. It shows in as_int64() and in the rounding of doubles.
  enum class Form : std::uint8_t { Integer, Decimal };

  struct Reading;

  static Result<Reading> read(std::string_view text);
  static Quantity from_text_slowly(const QuantityText& text);
  static Quantity from_wide(WideInteger unscaled, int scale, Format format);
  WideInteger unscaled() const;
  std::string print_decimal(Format format) const;
  std::optional<std::string> print_binary() const;

  // The amount is value_ (or *wide_, when 64 bits are too few) * 10^scale_.
  std::int64_t value_ = 0;
  std::unique_ptr<const WideInteger> wide_;  // Only in Decimal form, and then value_ is 0.
  std::int32_t scale_ = 0;
  Format format_ = Format::DecimalSI;
  Form form_ = Form::Integer;
};

struct Quantity::Reading {
  Quantity quantity;
  bool text_is_kept;  // See rewrite().
};

}  // namespace berth::api

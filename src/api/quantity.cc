#include "api/quantity.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "api/quantity_text.h"
#include "base/strings.h"

namespace berth::api {
namespace {

using Family = QuantityText::Family;
using Format = Quantity::Format;
using Int64 = std::numeric_limits<std::int64_t>;

constexpr int kPowersMax = 18;  // The largest power of ten in 64 bits.
constexpr auto kPowersOfTen = [] {
  std::array<std::int64_t, kPowersMax + 1> powers{1};
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

constexpr int kDigitsMax = 18;  // So many digits of a decimal text always fit 64 bits.

// The amount as Kubernetes reads it into 64 bits; nullopt when it takes its slow path instead.
struct Narrow {
  std::int64_t magnitude;
  int scale;
  bool text_is_kept;  // See Quantity::rewrite().
};

std::optional<std::int64_t> multiply(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

// value * 10^places, if it fits.
std::optional<std::int64_t> scale_up(std::int64_t value, int places) {
  if (value == 0) return 0;
  if (places > kPowersMax) return std::nullopt;
  return multiply(value, kPowersOfTen[static_cast<std::size_t>(places)]);
}

// value / 10^places, rounded away from zero.
std::int64_t scale_down(std::int64_t value, int places) {
  if (places > kPowersMax) return value == 0 ? 0 : (value > 0 ? 1 : -1);
  const std::int64_t divisor = kPowersOfTen[static_cast<std::size_t>(places)];
  const std::int64_t rest = value % divisor;
  return value / divisor + (rest > 0 ? 1 : 0) - (rest < 0 ? 1 : 0);
}

Format format_of(Family family) {
  if (family == Family::Binary) return Format::BinarySI;
  return family == Family::Exponent ? Format::DecimalExponent : Format::DecimalSI;
}

std::int64_t read_digits(std::string_view whole, std::string_view fraction) {
  std::int64_t number = 0;
  for (const char digit : whole) number = number * 10 + (digit - '0');
  for (const char digit : fraction) number = number * 10 + (digit - '0');
  return number;
}

// Kubernetes expects about three decimal digits of every ten bits and allows 14 in all.
std::optional<Narrow> read_narrow_binary(const QuantityText& text) {
  const int digits = static_cast<int>(text.whole.size());
  if (!text.fraction.empty() || digits + text.exponent * 3 / 10 > 14) return std::nullopt;
  const std::int64_t number = read_digits(text.whole, "");
  const auto magnitude = multiply(number, std::int64_t{1} << text.exponent);
  if (!magnitude) return std::nullopt;
  return Narrow{.magnitude = *magnitude, .scale = 0, .text_is_kept = (number & 7) != 0};
}

std::optional<Narrow> read_narrow(const QuantityText& text) {
  if (text.family == Family::Binary) return read_narrow_binary(text);
  const std::size_t digits = text.whole.size() + text.fraction.size();
  if (digits > kDigitsMax) return std::nullopt;
  const int scale = text.exponent - static_cast<int>(text.fraction.size());
  if (scale < Quantity::kNano) return std::nullopt;
  const std::int64_t number = read_digits(text.whole, text.fraction);
  const bool ends_in_zeros = digits >= 3 && number % 1000 == 0;
  return Narrow{.magnitude = number,
                .scale = scale,
                .text_is_kept = scale % 3 == 0 && !ends_in_zeros && text.whole[0] != '0'};
}

std::size_t trailing_zeros(std::string_view digits) {
  return digits.size() - 1 - std::min(digits.find_last_not_of('0'), digits.size() - 1);
}

std::string_view decimal_suffix(int exponent) {
  constexpr std::array<std::string_view, 10> kNames = {"n", "u", "m", "",  "k",
                                                       "M", "G", "T", "P", "E"};
  return kNames[static_cast<std::size_t>(exponent / 3 + 3)];
}

// Go's math.Pow10: two tables, so that large powers carry the same rounding error.
double power_of_ten(int exponent) {
  constexpr std::array kSmall = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10,
                                 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21,
                                 1e22, 1e23, 1e24, 1e25, 1e26, 1e27, 1e28, 1e29, 1e30, 1e31};
  constexpr std::array kLarge = {1e0, 1e32, 1e64, 1e96, 1e128, 1e160, 1e192, 1e224, 1e256, 1e288};
  if (exponent < 0) return 1 / kSmall[static_cast<std::size_t>(-exponent)];
  if (exponent > 308) return std::numeric_limits<double>::infinity();
  const auto power = static_cast<std::size_t>(exponent);
  return kLarge[power / kSmall.size()] * kSmall[power % kSmall.size()];
}

}  // namespace

Quantity Quantity::from_milli(std::int64_t milli, Format format) {
  Quantity quantity(milli, format);
  quantity.scale_ = kMilli;
  return quantity;
}

Quantity::Quantity(const Quantity& other)
    : value_(other.value_),
      wide_(other.wide_ ? std::make_unique<const WideInteger>(*other.wide_) : nullptr),
      scale_(other.scale_),
      format_(other.format_),
      form_(other.form_) {}

Quantity& Quantity::operator=(const Quantity& other) {
  if (this != &other) *this = Quantity(other);
  return *this;
}

Quantity Quantity::from_wide(WideInteger unscaled, int scale, Format format) {
  Quantity quantity(0, format);
  quantity.form_ = Form::Decimal;
  quantity.scale_ = scale;
  if (const auto narrow = unscaled.to_int64()) {
    quantity.value_ = *narrow;
  } else {
    quantity.wide_ = std::make_unique<const WideInteger>(std::move(unscaled));
  }
  return quantity;
}

WideInteger Quantity::unscaled() const { return wide_ ? *wide_ : WideInteger(value_); }

// Exact decimal arithmetic, rounded away from zero to nano.
Quantity Quantity::from_text_slowly(const QuantityText& text) {
  std::string digits(text.whole);
  digits += text.fraction;
  WideInteger amount = WideInteger::from_digits(digits);
  int scale = -static_cast<int>(text.fraction.size());
  Format format = format_of(text.family);
  if (text.family == Family::Binary) {
    for (int bits = 0; bits < text.exponent; bits += 10) amount.multiply(1024);
  } else {
    scale += text.exponent;
  }
  if (amount.is_zero()) {
    scale = std::max(scale, kNano);
  } else if (scale < kNano) {
    amount.scale_down(static_cast<std::size_t>(kNano - scale));
  } else {
    amount.scale_up(static_cast<std::size_t>(scale - kNano));
  }
  if (!amount.is_zero()) scale = kNano;
  Quantity quantity = from_wide(std::move(amount), scale, format);
  if (format == Format::BinarySI) {
    if (quantity > Quantity(Int64::max())) {
      quantity = from_wide(WideInteger(Int64::max()), 0, format);
    }
    // Kubernetes prefers decimal fractions to binary ones below 1.
    if (!quantity.is_zero() && quantity < Quantity(1)) quantity.format_ = Format::DecimalSI;
  }
  return text.negative ? -quantity : quantity;
}

Result<Quantity::Reading> Quantity::read(std::string_view text) {
  if (text.size() > kTextMax) {
    return failure(Code::Invalid, fmt::format("quantities must have at most {} bytes", kTextMax));
  }
  ASSIGN_OR_RETURN(const QuantityText pieces, scan_quantity(text, kExponentMax));
  if (const auto narrow = read_narrow(pieces)) {
    Quantity quantity(pieces.negative ? -narrow->magnitude : narrow->magnitude,
                      format_of(pieces.family));
    quantity.scale_ = narrow->scale;
    return Reading{.quantity = std::move(quantity), .text_is_kept = narrow->text_is_kept};
  }
  if (!pieces.has_digits) {
    return failure(Code::Invalid, "unable to parse numeric part of quantity");
  }
  return Reading{.quantity = from_text_slowly(pieces), .text_is_kept = false};
}

Result<Quantity> Quantity::parse(std::string_view text) {
  ASSIGN_OR_RETURN(Reading reading, read(text));
  return std::move(reading.quantity);
}

Result<std::string> Quantity::rewrite(std::string_view text) {
  ASSIGN_OR_RETURN(const Reading reading, read(text));
  return reading.text_is_kept ? std::string(text) : reading.quantity.to_string();
}

Result<Quantity> Quantity::from_json(const json::Value& value) {
  if (value.is_null()) return Quantity();
  if (value.is_number()) return parse(value.number_text());
  return parse(trim(value.string_or_empty()));
}

int Quantity::sign() const {
  if (wide_) return wide_->is_negative() ? -1 : 1;
  return (value_ > 0 ? 1 : 0) - (value_ < 0 ? 1 : 0);
}

std::int64_t Quantity::scaled_value(int scale) const {
  const int places = scale_ - scale;
  std::optional<std::int64_t> scaled;
  if (wide_) {
    WideInteger amount = *wide_;
    if (places < 0) amount.scale_down(static_cast<std::size_t>(-places));
    if (places <= 0) scaled = amount.to_int64();
  } else {
    scaled = places < 0 ? scale_down(value_, -places) : scale_up(value_, places);
  }
  return scaled.value_or(sign() < 0 ? Int64::min() : Int64::max());
}

std::optional<std::int64_t> Quantity::as_int64() const {
  if (form_ == Form::Decimal || scale_ < 0) return std::nullopt;
  return scale_up(value_, scale_);
}

double Quantity::as_approximate_double() const {
  if (is_zero()) return 0;
  const double base = wide_ ? wide_->to_double() : static_cast<double>(value_);
  return scale_ == 0 ? base : base * power_of_ten(scale_);
}

std::weak_ordering operator<=>(const Quantity& a, const Quantity& b) {
  if (a.sign() != b.sign()) return a.sign() <=> b.sign();
  const int places = a.scale_ - b.scale_;
  if (!a.wide_ && !b.wide_) {
    // Bring the coarser one to the scale of the finer; if it does not fit, it is further from 0.
    const auto of_a = scale_up(a.value_, std::max(places, 0));
    const auto of_b = scale_up(b.value_, std::max(-places, 0));
    if (!of_a) return a.sign() <=> 0;
    if (!of_b) return 0 <=> b.sign();
    return *of_a <=> *of_b;
  }
  WideInteger of_a = a.unscaled();
  WideInteger of_b = b.unscaled();
  of_a.scale_up(static_cast<std::size_t>(std::max(places, 0)));
  of_b.scale_up(static_cast<std::size_t>(std::max(-places, 0)));
  return of_a <=> of_b;
}

Quantity& Quantity::operator+=(const Quantity& other) {
  if (is_zero()) format_ = other.format_;
  const bool integers = form_ == Form::Integer && other.form_ == Form::Integer;
  if (integers && other.is_zero()) return *this;
  if (integers && is_zero()) scale_ = other.scale_;

  const int scale = std::min(scale_, other.scale_);
  if (!wide_ && !other.wide_) {
    const auto mine = api::scale_up(value_, scale_ - scale);
    const auto theirs = api::scale_up(other.value_, other.scale_ - scale);
    std::int64_t sum = 0;
    if (mine && theirs && !__builtin_add_overflow(*mine, *theirs, &sum)) {
      value_ = sum;
      scale_ = scale;
      if (!integers) form_ = Form::Decimal;
      return *this;
    }
  }
  WideInteger mine = unscaled();
  WideInteger theirs = other.unscaled();
  mine.scale_up(static_cast<std::size_t>(scale_ - scale));
  theirs.scale_up(static_cast<std::size_t>(other.scale_ - scale));
  return *this = from_wide(mine + theirs, scale, format_);
}

Quantity Quantity::operator-() const {
  if (wide_ || value_ == Int64::min()) {
    WideInteger negated = unscaled();
    negated.negate();
    return from_wide(std::move(negated), scale_, format_);
  }
  Quantity negated(*this);
  negated.value_ = -value_;
  return negated;
}

std::string Quantity::to_string() const {
  if (is_zero()) return "0";
  if (format_ != Format::BinarySI) return print_decimal(format_);
  const bool small = *this > Quantity(-1024) && *this < Quantity(1024);
  if (!small) {
    if (auto text = print_binary()) return *std::move(text);
  }
  return print_decimal(Format::DecimalSI);
}

std::string Quantity::print_decimal(Format format) const {
  std::string digits = wide_ ? wide_->to_string() : std::to_string(value_);
  int exponent = scale_;
  const int exponent_max = format == Format::DecimalSI ? 18 : kExponentMax;
  const std::size_t zeros = trailing_zeros(digits);
  digits.resize(digits.size() - zeros);
  exponent += static_cast<int>(zeros);
  while (exponent % 3 != 0 || exponent > exponent_max) {
    digits += '0';
    --exponent;
  }
  if (format == Format::DecimalSI) return digits.append(decimal_suffix(exponent));
  return exponent == 0 ? digits : fmt::format("{}e{}", digits, exponent);
}

// nullopt when the amount is not a whole number.
std::optional<std::string> Quantity::print_binary() const {
  constexpr std::array<std::string_view, 7> kSuffixes = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
  std::size_t suffix = 0;
  if (!wide_ && scale_ == 0) {
    std::int64_t whole = value_;
    for (; suffix + 1 < kSuffixes.size() && whole % 1024 == 0; ++suffix) whole /= 1024;
    return std::to_string(whole).append(kSuffixes[suffix]);
  }
  WideInteger amount = unscaled();
  if (scale_ >= 0) amount.scale_up(static_cast<std::size_t>(scale_));
  if (scale_ < 0 && !amount.scale_down(static_cast<std::size_t>(-scale_))) return std::nullopt;
  WideInteger quotient = amount;
  while (suffix + 1 < kSuffixes.size() && quotient.divide(1024) == 0) {
    amount = quotient;
    ++suffix;
  }
  return amount.to_string().append(kSuffixes[suffix]);
}

}  // namespace berth::api

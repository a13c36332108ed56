#include "cel/time_arithmetic.h"

#include <cstdint>
#include <utility>

#include "cel/context.h"

namespace berth::cel {
namespace {

constexpr std::int64_t kNanosPerSecond = 1'000'000'000;

Value overflow() { return Value::error("integer overflow"); }

// Timestamps of CEL lie in the years 1 to 9999.
Value timestamp_at(std::int64_t seconds, std::int64_t nanoseconds, std::int16_t offset) {
  seconds += nanoseconds / kNanosPerSecond;
  nanoseconds %= kNanosPerSecond;
  if (nanoseconds < 0) {
    nanoseconds += kNanosPerSecond;
    --seconds;
  }
  if (seconds < Time::min().unix_seconds() || seconds > Time::max().unix_seconds()) {
    return Value::error("timestamp overflow");
  }
  return Value::timestamp(Time::from_unix(seconds, static_cast<std::int32_t>(nanoseconds)), offset);
}

Value shift(const Value& timestamp, Duration by) {
  const Time time = timestamp.as_timestamp();
  return timestamp_at(time.unix_seconds() + by.count() / kNanosPerSecond,
                      time.nanoseconds() + by.count() % kNanosPerSecond,
                      timestamp.offset_minutes());
}

Value difference(Time a, Time b) {
  std::int64_t nanoseconds = 0;
  const std::int64_t seconds = a.unix_seconds() - b.unix_seconds();
  if (__builtin_mul_overflow(seconds, kNanosPerSecond, &nanoseconds)) return overflow();
  const std::int64_t rest = a.nanoseconds() - b.nanoseconds();
  if (__builtin_add_overflow(nanoseconds, rest, &nanoseconds)) return overflow();
  return Value::duration(Duration(nanoseconds));
}

// Takes digits from the front; nullopt when the number gets too large.
std::optional<std::uint64_t> take_integer(std::string_view& text) {
  std::uint64_t value = 0;
  while (!text.empty() && text[0] >= '0' && text[0] <= '9') {
    if (value > (std::uint64_t{1} << 63) / 10) return std::nullopt;
    value = value * 10 + static_cast<std::uint64_t>(text[0] - '0');
    if (value > (std::uint64_t{1} << 63)) return std::nullopt;
    text.remove_prefix(1);
  }
  return value;
}

struct Fraction {
  std::uint64_t digits = 0;
  double scale = 1;
};

// Digits beyond what fits are ignored.
Fraction take_fraction(std::string_view& text) {
  Fraction fraction;
  bool full = false;
  while (!text.empty() && text[0] >= '0' && text[0] <= '9') {
    full = full || fraction.digits > ((std::uint64_t{1} << 63) - 1) / 10;
    const std::uint64_t next =
        full ? 0 : fraction.digits * 10 + static_cast<std::uint64_t>(text[0] - '0');
    full = full || next > (std::uint64_t{1} << 63);
    if (!full) {
      fraction.digits = next;
      fraction.scale *= 10;
    }
    text.remove_prefix(1);
  }
  return fraction;
}

std::optional<std::uint64_t> take_unit(std::string_view& text) {
  constexpr std::pair<std::string_view, std::uint64_t> kUnits[] = {
      {"ns", 1},         {"us", 1'000},        {"\xC2\xB5s", 1'000},  {"\xCE\xBCs", 1'000},
      {"ms", 1'000'000}, {"s", 1'000'000'000}, {"m", 60'000'000'000}, {"h", 3'600'000'000'000},
  };
  const std::string_view name = text.substr(0, text.find_first_of("0123456789."));
  for (const auto& [unit, nanoseconds] : kUnits) {
    if (name != unit) continue;
    text.remove_prefix(name.size());
    return nanoseconds;
  }
  return std::nullopt;
}

// One number with its unit, in nanoseconds.
std::optional<std::uint64_t> take_part(std::string_view& text) {
  const std::size_t before = text.size();
  const auto whole = take_integer(text);
  if (!whole) return std::nullopt;
  bool has_digits = text.size() != before;
  Fraction fraction;
  if (!text.empty() && text[0] == '.') {
    text.remove_prefix(1);
    const std::size_t point = text.size();
    fraction = take_fraction(text);
    has_digits = has_digits || text.size() != point;
  }
  if (!has_digits) return std::nullopt;
  const auto unit = take_unit(text);
  if (!unit || *whole > (std::uint64_t{1} << 63) / *unit) return std::nullopt;
  std::uint64_t value = *whole * *unit;
  if (fraction.digits > 0) {
    value += static_cast<std::uint64_t>(static_cast<double>(fraction.digits) *
                                        (static_cast<double>(*unit) / fraction.scale));
    if (value > (std::uint64_t{1} << 63)) return std::nullopt;
  }
  return value;
}

}  // namespace

bool is_time(const Value& value) {
  return value.is(ValueKind::Timestamp) || value.is(ValueKind::Duration);
}

Value add_times(const Value& a, const Value& b) {
  if (!is_time(b)) return Context::no_such_overload();
  if (a.is(ValueKind::Timestamp)) {
    if (b.is(ValueKind::Timestamp)) return Context::no_such_overload();
    return shift(a, b.as_duration());
  }
  if (b.is(ValueKind::Timestamp)) return shift(b, a.as_duration());
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a.as_duration().count(), b.as_duration().count(), &sum)) {
    return overflow();
  }
  return Value::duration(Duration(sum));
}

Value subtract_times(const Value& a, const Value& b) {
  if (!is_time(b)) return Context::no_such_overload();
  if (a.is(ValueKind::Timestamp)) {
    if (b.is(ValueKind::Timestamp)) return difference(a.as_timestamp(), b.as_timestamp());
    if (b.as_duration() == Duration::min()) return overflow();
    return shift(a, -b.as_duration());
  }
  if (b.is(ValueKind::Timestamp)) return Context::no_such_overload();
  std::int64_t result = 0;
  if (__builtin_sub_overflow(a.as_duration().count(), b.as_duration().count(), &result)) {
    return overflow();
  }
  return Value::duration(Duration(result));
}

std::optional<Duration> parse_duration(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (text == "0") return Duration(0);
  if (text.empty()) return std::nullopt;
  std::uint64_t total = 0;
  while (!text.empty()) {
    const auto part = take_part(text);
    if (!part) return std::nullopt;
    total += *part;
    if (total > (std::uint64_t{1} << 63)) return std::nullopt;
  }
  if (negative) return Duration(static_cast<std::int64_t>(0 - total));
  if (total > static_cast<std::uint64_t>(INT64_MAX)) return std::nullopt;
  return Duration(static_cast<std::int64_t>(total));
}

}  // namespace berth::cel

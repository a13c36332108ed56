// Points in time and lengths of time, as values. There is no now(): time is always an argument.

#pragma once

#include <chrono>
#include <compare>
#include <cstdint>

namespace berth {

using Duration = std::chrono::nanoseconds;

// A point on the calendar in UTC with nanoseconds, from year 1 to year 9999: wider than a 64-bit
// count of nanoseconds, because users do write 9999-12-31 and Go's zero time is in year 1.
// Arithmetic saturates at the ends.
class Time {
 public:
  constexpr Time() = default;  // 1970-01-01T00:00:00Z
  constexpr explicit Time(Duration since_epoch) { *this = Time{}.plus(since_epoch); }

  // Clamped to [min, max]; nanoseconds must be below 1'000'000'000.
  static constexpr Time from_unix(std::int64_t seconds, std::int32_t nanoseconds = 0);

  static constexpr Time min() { return Time(kSecondsMin, 0); }
  static constexpr Time max() { return Time(kSecondsMax, kNanosecondsMax); }

  constexpr std::int64_t unix_seconds() const { return seconds_; }
  constexpr std::int32_t nanoseconds() const { return nanoseconds_; }  // Within the second.
  constexpr Time truncated_to_seconds() const { return Time(seconds_, 0); }

  constexpr auto operator<=>(const Time&) const = default;

  friend constexpr Time operator+(Time time, Duration length) { return time.plus(length); }
  friend constexpr Time operator-(Time time, Duration length);
  friend constexpr Duration operator-(Time later, Time earlier);
  constexpr Time& operator+=(Duration length) { return *this = plus(length); }

 private:
  static constexpr std::int64_t kSecondsMin = -62'135'596'800;  // 0001-01-01T00:00:00Z
  static constexpr std::int64_t kSecondsMax = 253'402'300'799;  // 9999-12-31T23:59:59Z
  static constexpr std::int32_t kNanosecondsMax = 999'999'999;

  constexpr Time(std::int64_t seconds, std::int32_t nanoseconds)
      : seconds_(seconds), nanoseconds_(nanoseconds) {}
  constexpr Time plus(Duration length) const;

  std::int64_t seconds_ = 0;
  std::int32_t nanoseconds_ = 0;  // Always counted forward from seconds_.
};

constexpr Time Time::from_unix(std::int64_t seconds, std::int32_t nanoseconds) {
  if (seconds < kSecondsMin) return min();
  if (seconds > kSecondsMax) return max();
  return Time(seconds, nanoseconds);
}

constexpr Time Time::plus(Duration length) const {
  // Truncated, not floored: the floor of the most negative length does not fit nanoseconds.
  constexpr std::int64_t kPerSecond = 1'000'000'000;
  std::int64_t seconds = seconds_ + length.count() / kPerSecond;
  std::int64_t nanoseconds = nanoseconds_ + length.count() % kPerSecond;
  if (nanoseconds > kNanosecondsMax) {
    ++seconds;
    nanoseconds -= kPerSecond;
  } else if (nanoseconds < 0) {
    --seconds;
    nanoseconds += kPerSecond;
  }
  return from_unix(seconds, static_cast<std::int32_t>(nanoseconds));
}

constexpr Time operator-(Time time, Duration length) {
  // The most negative length has no positive counterpart; it saturates anyway.
  return time.plus(length == Duration::min() ? Duration::max() : -length);
}

constexpr Duration operator-(Time later, Time earlier) {
  const std::int64_t seconds = later.seconds_ - earlier.seconds_;
  const std::int64_t nanoseconds = later.nanoseconds_ - earlier.nanoseconds_;
  constexpr std::int64_t kFits = 9'223'372'035;  // Seconds that surely fit into a Duration.
  if (seconds > kFits) return Duration::max();
  if (seconds < -kFits) return Duration::min();
  return Duration(seconds * 1'000'000'000 + nanoseconds);
}

// A reading of a clock that only moves forward and has no date. Leases and back-off use it, so that
// a step of the wall clock cannot hurt them.
using Instant = std::chrono::time_point<struct MonotonicClock, Duration>;

}  // namespace berth

#include "http/date.h"

#include <array>
#include <chrono>
#include <string_view>

#include <fmt/format.h>

namespace berth::http {
namespace {

constexpr std::array<std::string_view, 7> kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

}  // namespace

std::string format_date(Time time) {
  const std::chrono::sys_seconds seconds{std::chrono::seconds(time.unix_seconds())};
  const auto days = std::chrono::floor<std::chrono::days>(seconds);
  const std::chrono::year_month_day date(days);
  const std::chrono::hh_mm_ss clock(seconds - days);
  return fmt::format(
      "{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT", kDays[std::chrono::weekday(days).c_encoding()],
      static_cast<unsigned>(date.day()), kMonths[static_cast<unsigned>(date.month()) - 1],
      static_cast<int>(date.year()), clock.hours().count(), clock.minutes().count(),
      clock.seconds().count());
}

const std::string& DateStamp::at(Time time) {
  if (time.unix_seconds() != second_) {
    second_ = time.unix_seconds();
    text_ = format_date(time);
  }
  return text_;
}

}  // namespace berth::http

#include "base/rfc3339.h"

#include <chrono>
#include <optional>

#include <fmt/format.h>

namespace berth {
namespace {

using std::chrono::day;
using std::chrono::days;
using std::chrono::floor;
using std::chrono::month;
using std::chrono::seconds;
using std::chrono::sys_days;
using std::chrono::sys_seconds;
using std::chrono::year;
using std::chrono::year_month_day;

constexpr int kFractionDigitsMax = 9;

// Reads a timestamp from left to right; the position names the place of an error.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Result<int> digits(int count, std::string_view what, int low, int high) {
    const std::size_t start = at_;
    int number = 0;
    for (int i = 0; i < count; ++i, ++at_) {
      if (!is_digit()) return expected(what, at_);
      number = number * 10 + (text_[at_] - '0');
    }
    if (number < low || number > high) return expected(what, start);
    return number;
  }

  Status literal(char wanted) {
    if (at_ >= text_.size() || text_[at_] != wanted) {
      return expected(fmt::format("'{}'", wanted), at_);
    }
    ++at_;
    return {};
  }

  bool skip(char wanted) {
    const bool found = at_ < text_.size() && text_[at_] == wanted;
    if (found) ++at_;
    return found;
  }

  // The digits behind the decimal point, scaled to nanoseconds. Further digits are dropped.
  Result<int> fraction() {
    if (!is_digit()) return expected("a digit", at_);
    int number = 0;
    int count = 0;
    for (; is_digit(); ++at_, ++count) {
      if (count < kFractionDigitsMax) number = number * 10 + (text_[at_] - '0');
    }
    for (; count < kFractionDigitsMax; ++count) number *= 10;
    return number;
  }

  Status end() const {
    if (at_ != text_.size()) return expected("the end", at_);
    return {};
  }

  std::unexpected<Error> expected(std::string_view what) const { return expected(what, at_); }

  std::unexpected<Error> expected(std::string_view what, std::size_t where) const {
    return failure(Code::Invalid,
                   fmt::format("invalid RFC 3339 time \"{}\": expected {} at offset {}",
                               text_.substr(0, 64), what, where));
  }

 private:
  bool is_digit() const { return at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; }

  std::string_view text_;
  std::size_t at_ = 0;
};

Result<sys_days> read_date(Reader& reader) {
  ASSIGN_OR_RETURN(const int years, reader.digits(4, "a year", 0, 9999));
  RETURN_IF_ERROR(reader.literal('-'));
  ASSIGN_OR_RETURN(const int months, reader.digits(2, "a month", 1, 12));
  RETURN_IF_ERROR(reader.literal('-'));
  ASSIGN_OR_RETURN(const int in_month, reader.digits(2, "a day", 1, 31));
  const year_month_day date{year{years}, month{static_cast<unsigned>(months)},
                            day{static_cast<unsigned>(in_month)}};
  if (!date.ok()) return reader.expected("a day of that month", 8);
  return sys_days{date};
}

Result<seconds> read_time_of_day(Reader& reader) {
  ASSIGN_OR_RETURN(const int hour, reader.digits(2, "an hour", 0, 23));
  RETURN_IF_ERROR(reader.literal(':'));
  ASSIGN_OR_RETURN(const int minute, reader.digits(2, "a minute", 0, 59));
  RETURN_IF_ERROR(reader.literal(':'));
  ASSIGN_OR_RETURN(const int second, reader.digits(2, "a second below 60", 0, 59));
  return seconds{hour * 3600 + minute * 60 + second};
}

Result<seconds> read_offset(Reader& reader) {
  if (reader.skip('Z')) return seconds{0};
  const bool east = reader.skip('+');
  if (!east && !reader.skip('-')) return reader.expected("'Z' or an offset");
  ASSIGN_OR_RETURN(const int hour, reader.digits(2, "the hours of an offset", 0, 23));
  RETURN_IF_ERROR(reader.literal(':'));
  ASSIGN_OR_RETURN(const int minute, reader.digits(2, "the minutes of an offset", 0, 59));
  const seconds offset{hour * 3600 + minute * 60};
  return east ? offset : -offset;
}

std::string format_to_second(Time time) {
  const sys_seconds point{seconds{time.unix_seconds()}};
  const sys_days midnight = floor<days>(point);
  const year_month_day date{midnight};
  const auto of_day = (point - midnight).count();
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     of_day / 3600, of_day / 60 % 60, of_day % 60);
}

}  // namespace

Result<Time> parse_rfc3339(std::string_view text) {
  Reader reader(text);
  ASSIGN_OR_RETURN(const sys_days date, read_date(reader));
  RETURN_IF_ERROR(reader.literal('T'));
  ASSIGN_OR_RETURN(const seconds of_day, read_time_of_day(reader));
  int nanoseconds = 0;
  if (reader.skip('.')) {
    ASSIGN_OR_RETURN(nanoseconds, reader.fraction());
  }
  ASSIGN_OR_RETURN(const seconds offset, read_offset(reader));
  RETURN_IF_ERROR(reader.end());
  const sys_seconds point = date + of_day - offset;
  return Time::from_unix(point.time_since_epoch().count(), nanoseconds);
}

std::string format_seconds(Time time) { return format_to_second(time) + "Z"; }

std::string format_micros(Time time) {
  return fmt::format("{}.{:06}Z", format_to_second(time), time.nanoseconds() / 1000);
}

std::string format_nanos(Time time) {
  if (time.nanoseconds() == 0) return format_seconds(time);
  std::string fraction = fmt::format("{:09}", time.nanoseconds());
  fraction.erase(fraction.find_last_not_of('0') + 1);
  return fmt::format("{}.{}Z", format_to_second(time), fraction);
}

}  // namespace berth

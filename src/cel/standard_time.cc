#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "base/result.h"
#include "base/strings.h"
#include "cel/standard.h"

namespace berth::cel {
namespace {

using enum TypeKind;
using std::chrono::days;
using std::chrono::floor;
using std::chrono::seconds;
using std::chrono::sys_days;
using std::chrono::sys_seconds;
using std::chrono::year_month_day;

// A moment as a clock on a wall shows it.
struct LocalTime {
  std::int64_t second_of_day = 0;
  sys_days day = {};
  std::int32_t nanoseconds = 0;
};

// A number with an optional sign, as an hour or a minute of an offset.
std::optional<std::int64_t> offset_part(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const auto number = parse_int64(text);
  if (!number || *number < -10'000 || *number > 10'000) return std::nullopt;
  return number;
}

// "+02:00", "-8:30", "UTC" or "". Zones by name would need a database that changes with the laws
// of countries; there is none in here.
Result<std::int64_t> offset_seconds(std::string_view zone) {
  if (zone.empty() || zone == "UTC") return 0;
  const std::size_t colon = zone.find(':');
  if (colon == std::string_view::npos) {
    return failure(Code::Invalid, "unknown time zone " + std::string(zone) +
                                      " (only UTC and offsets such as +02:00 are supported)");
  }
  const auto hours = offset_part(zone.substr(0, colon));
  const auto minutes = offset_part(zone.substr(colon + 1));
  if (!hours || !minutes) {
    return failure(Code::Invalid, "invalid time zone offset " + quote(zone));
  }
  return (*hours * 60 + (zone[0] == '-' ? -*minutes : *minutes)) * 60;
}

LocalTime local_time(Time time, std::int64_t offset) {
  const sys_seconds moment(seconds(time.unix_seconds() + offset));
  const sys_days day = floor<days>(moment);
  return {.second_of_day = (moment - day).count(), .day = day, .nanoseconds = time.nanoseconds()};
}

using Getter = std::int64_t (*)(const LocalTime& time);

std::int64_t year(const LocalTime& time) {
  return static_cast<int>(year_month_day(time.day).year());
}
std::int64_t month(const LocalTime& time) {
  return static_cast<unsigned>(year_month_day(time.day).month()) - 1;
}
std::int64_t day_of_year(const LocalTime& time) {
  const year_month_day date(time.day);
  const sys_days first = sys_days(date.year() / std::chrono::January / 1);
  return (time.day - first).count();
}
std::int64_t date(const LocalTime& time) {
  return static_cast<unsigned>(year_month_day(time.day).day());
}
std::int64_t day_of_month(const LocalTime& time) { return date(time) - 1; }
std::int64_t day_of_week(const LocalTime& time) {
  return std::chrono::weekday(time.day).c_encoding();
}
std::int64_t hours(const LocalTime& time) { return time.second_of_day / 3600; }
std::int64_t minutes(const LocalTime& time) { return time.second_of_day / 60 % 60; }
std::int64_t second(const LocalTime& time) { return time.second_of_day % 60; }
std::int64_t milliseconds(const LocalTime& time) { return time.nanoseconds / 1'000'000; }

template <Getter get>
Value in_utc(Call& call) {
  return Value::integer(get(local_time(call[0].as_timestamp(), 0)));
}

template <Getter get>
Value in_zone(Call& call) {
  const auto offset = offset_seconds(call[1].text());
  if (!offset.ok()) return call.context.error(offset.error().message);
  return Value::integer(get(local_time(call[0].as_timestamp(), *offset)));
}

template <std::int64_t nanoseconds>
Value duration_in(Call& call) {
  return Value::integer(call[0].as_duration().count() / nanoseconds);
}

Overload getter(std::string id, std::vector<Type> parameters, Implementation implementation) {
  return {.id = std::move(id),
          .style = CallStyle::Member,
          .parameters = std::move(parameters),
          .result = Int,
          .implementation = implementation};
}

template <Getter get>
Function timestamp_getter(std::string name) {
  return {
      .name = name,
      .overloads = {getter("timestamp_" + name, {Timestamp}, in_utc<get>),
                    getter("timestamp_" + name + "_with_tz", {Timestamp, String}, in_zone<get>)}};
}

template <Getter get, std::int64_t nanoseconds>
Function time_getter(std::string name) {
  Function function = timestamp_getter<get>(name);
  function.overloads.push_back(
      getter("duration_" + name, {TypeKind::Duration}, duration_in<nanoseconds>));
  return function;
}

}  // namespace

void add_time_functions(Environment& environment) {
  environment.add_function(timestamp_getter<year>("getFullYear"));
  environment.add_function(timestamp_getter<month>("getMonth"));
  environment.add_function(timestamp_getter<day_of_year>("getDayOfYear"));
  environment.add_function(timestamp_getter<day_of_month>("getDayOfMonth"));
  environment.add_function(timestamp_getter<date>("getDate"));
  environment.add_function(timestamp_getter<day_of_week>("getDayOfWeek"));
  environment.add_function(time_getter<hours, 3'600'000'000'000>("getHours"));
  environment.add_function(time_getter<minutes, 60'000'000'000>("getMinutes"));
  environment.add_function(time_getter<second, 1'000'000'000>("getSeconds"));
  environment.add_function(time_getter<milliseconds, 1'000'000>("getMilliseconds"));
}

}  // namespace berth::cel

#include "apiserver/validation/cron_schedule.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "base/strings.h"
#include "cel/time_arithmetic.h"

namespace berth::apiserver {
namespace {

using Problem = std::optional<std::string>;

constexpr std::array<std::string_view, 12> kMonths = {"jan", "feb", "mar", "apr", "may", "jun",
                                                      "jul", "aug", "sep", "oct", "nov", "dec"};
constexpr std::array<std::string_view, 7> kDays = {"sun", "mon", "tue", "wed", "thu", "fri", "sat"};

struct Field {
  std::int64_t lowest;
  std::int64_t highest;
  std::span<const std::string_view> names = {};  // The first one is the lowest number.
};
constexpr std::array<Field, 5> kFields = {Field{0, 59}, Field{0, 23}, Field{1, 31},
                                          Field{1, 12, kMonths}, Field{0, 6, kDays}};

struct Number {
  std::int64_t value = 0;
  Problem problem = std::nullopt;
};

Number read_number(std::string_view text) {
  const bool has_sign = text.starts_with('-') || text.starts_with('+');
  const std::string_view digits = has_sign ? text.substr(1) : text;
  const bool is_number =
      !digits.empty() && std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
  const auto number = is_number ? parse_int64(digits) : std::nullopt;
  if (!number) {
    return {.problem =
                fmt::format("failed to parse int from {}: strconv.Atoi: parsing {}: {}", text,
                            quote(text), is_number ? "value out of range" : "invalid syntax")};
  }
  if (text.starts_with('-') && *number > 0) {
    return {.problem = fmt::format("negative number (-{}) not allowed: {}", *number, text)};
  }
  return {.value = *number};
}

Number read_name_or_number(std::string_view text, const Field& field) {
  const auto named = std::ranges::find(field.names, lower_ascii(text));
  if (named != field.names.end()) return {.value = field.lowest + (named - field.names.begin())};
  return read_number(text);
}

struct Range {
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::int64_t step = 1;
};

Problem check_range(const Range& range, const Field& field, std::string_view text) {
  if (range.first < field.lowest) {
    return fmt::format("beginning of range ({}) below minimum ({}): {}", range.first, field.lowest,
                       text);
  }
  if (range.last > field.highest) {
    return fmt::format("end of range ({}) above maximum ({}): {}", range.last, field.highest, text);
  }
  if (range.first > range.last) {
    return fmt::format("beginning of range ({}) beyond end of range ({}): {}", range.first,
                       range.last, text);
  }
  if (range.step == 0) return fmt::format("step of range should be a positive number: {}", text);
  return std::nullopt;
}

// "5", "1-5", "*/2", "10-20/5"
Problem range_problem(std::string_view text, const Field& field) {
  const std::vector<std::string_view> parts = split(text, '/');
  const std::vector<std::string_view> ends = split(parts[0], '-');
  Range range;
  if (ends[0] == "*" || ends[0] == "?") {
    range = {.first = field.lowest, .last = field.highest};
  } else {
    const Number first = read_name_or_number(ends[0], field);
    if (first.problem) return first.problem;
    const Number last = ends.size() == 2 ? read_name_or_number(ends[1], field) : first;
    if (ends.size() > 2) return fmt::format("too many hyphens: {}", text);
    if (last.problem) return last.problem;
    range = {.first = first.value, .last = last.value};
  }
  if (parts.size() > 2) return fmt::format("too many slashes: {}", text);
  if (parts.size() == 2) {
    const Number step = read_number(parts[1]);
    if (step.problem) return step.problem;
    range.step = step.value;
    if (ends.size() == 1) range.last = field.highest;
  }
  return check_range(range, field, text);
}

Problem field_problem(std::string_view text, const Field& field) {
  for (const std::string_view item : split(text, ',')) {
    if (item.empty()) continue;
    if (Problem problem = range_problem(item, field)) return problem;
  }
  return std::nullopt;
}

Problem descriptor_problem(std::string_view text) {
  for (const std::string_view known :
       {"@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"}) {
    if (text == known) return std::nullopt;
  }
  constexpr std::string_view kEvery = "@every ";
  if (!text.starts_with(kEvery)) return fmt::format("unrecognized descriptor: {}", text);
  const std::string_view length = text.substr(kEvery.size());
  if (cel::parse_duration(length)) return std::nullopt;
  return fmt::format("failed to parse duration {}: time: invalid duration {}", text, quote(length));
}

std::string_view without_zone(std::string_view text) {
  if (!text.starts_with("TZ=") && !text.starts_with("CRON_TZ=")) return text;
  const std::size_t space = text.find(' ');
  return space == std::string_view::npos ? std::string_view() : trim(text.substr(space));
}

}  // namespace

std::optional<std::string> schedule_problem(std::string_view schedule) {
  if (schedule.empty()) return "empty spec string";
  const std::string_view text = without_zone(schedule);
  if (text.starts_with('@')) return descriptor_problem(text);
  std::vector<std::string_view> fields;
  for (const std::string_view word : split(text, ' ')) {
    if (!trim(word).empty()) fields.push_back(trim(word));
  }
  if (fields.size() != kFields.size()) {
    return fmt::format("expected exactly 5 fields, found {}: [{}]", fields.size(),
                       fmt::join(fields, " "));
  }
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (Problem problem = field_problem(fields[i], kFields[i])) return problem;
  }
  return std::nullopt;
}

}  // namespace berth::apiserver

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/rfc3339.h"
#include "base/strings.h"
#include "cel/cost.h"
#include "cel/display.h"
#include "cel/number_text.h"
#include "cel/standard.h"
#include "cel/time_arithmetic.h"

namespace berth::cel {
namespace {

using enum TypeKind;

constexpr double kTwoTo63 = 9223372036854775808.0;
constexpr double kTwoTo64 = 18446744073709551616.0;

Value same(Call& call) { return call[0]; }

Value conversion_error(Call& call, std::string_view to) {
  return call.context.error({"type conversion error from 'string' to '", to, "'"});
}

Value type_of(Call& call) { return Value::type(call[0].type_name()); }

Value bool_from_string(Call& call) {
  const std::string_view text = call[0].text();
  for (const std::string_view yes : {"1", "t", "T", "true", "TRUE", "True"}) {
    if (text == yes) return Value::boolean(true);
  }
  for (const std::string_view no : {"0", "f", "F", "false", "FALSE", "False"}) {
    if (text == no) return Value::boolean(false);
  }
  return conversion_error(call, "bool");
}

Value bytes_from_string(Call& call) { return Value::bytes(call[0].text()); }

Value double_from_int(Call& call) { return Value::floating(static_cast<double>(call[0].as_int())); }
Value double_from_uint(Call& call) {
  return Value::floating(static_cast<double>(call[0].as_uint()));
}
Value double_from_string(Call& call) {
  const auto number = parse_double(call[0].text());
  return number ? Value::floating(*number) : conversion_error(call, "double");
}

Value int_from_double(Call& call) {
  const double number = call[0].as_double();
  if (!(number > -kTwoTo63 && number < kTwoTo63)) return Value::error("integer overflow");
  return Value::integer(static_cast<std::int64_t>(number));
}
Value int_from_uint(Call& call) {
  if (call[0].as_uint() > static_cast<std::uint64_t>(INT64_MAX)) {
    return Value::error("integer overflow");
  }
  return Value::integer(static_cast<std::int64_t>(call[0].as_uint()));
}
Value int_from_string(Call& call) {
  std::string_view text = call[0].text();
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const auto number = parse_int64(text);
  return number ? Value::integer(*number) : conversion_error(call, "int");
}
Value int_from_duration(Call& call) { return Value::integer(call[0].as_duration().count()); }
Value int_from_timestamp(Call& call) {
  return Value::integer(call[0].as_timestamp().unix_seconds());
}

Value uint_from_double(Call& call) {
  const double number = call[0].as_double();
  if (!(number >= 0 && number < kTwoTo64)) return Value::error("unsigned integer overflow");
  return Value::unsigned_integer(static_cast<std::uint64_t>(number));
}
Value uint_from_int(Call& call) {
  if (call[0].as_int() < 0) return Value::error("unsigned integer overflow");
  return Value::unsigned_integer(static_cast<std::uint64_t>(call[0].as_int()));
}
Value uint_from_string(Call& call) {
  const auto number = parse_uint64(call[0].text());
  return number ? Value::unsigned_integer(*number) : conversion_error(call, "uint");
}

Value string_from_bool(Call& call) { return Value::string(call[0].as_bool() ? "true" : "false"); }
Value string_from_bytes(Call& call) {
  if (!call.context.charge(call[0].text().size())) return call.context.cancelled();
  if (!is_valid_utf8(call[0].text())) {
    return Value::error("invalid UTF-8 in bytes, cannot convert to string");
  }
  return Value::string(call[0].text());
}
Value string_from_double(Call& call) {
  return call.context.string(display_double(call[0].as_double()));
}
Value string_from_duration(Call& call) {
  return call.context.string(display_duration(call[0].as_duration()));
}
Value string_from_int(Call& call) { return call.context.string(std::to_string(call[0].as_int())); }
Value string_from_uint(Call& call) {
  return call.context.string(std::to_string(call[0].as_uint()));
}
Value string_from_timestamp(Call& call) {
  const std::int16_t offset = call[0].offset_minutes();
  std::string text = format_nanos(call[0].as_timestamp() + std::chrono::minutes(offset));
  if (offset != 0) {
    text.pop_back();  // The Z.
    text += fmt::format("{}{:02}:{:02}", offset < 0 ? '-' : '+', std::abs(offset) / 60,
                        std::abs(offset) % 60);
  }
  return call.context.string(text);
}

Value timestamp_from_int(Call& call) {
  const std::int64_t seconds = call[0].as_int();
  if (seconds < Time::min().unix_seconds() || seconds > Time::max().unix_seconds()) {
    return Value::error("timestamp overflow");
  }
  return Value::timestamp(Time::from_unix(seconds));
}
// The minutes of "+05:30" at the end of a well-formed timestamp; 0 for Z.
std::int16_t offset_of(std::string_view text) {
  if (text.ends_with('Z')) return 0;
  const std::string_view offset = text.substr(text.size() - 6);
  const auto hours = parse_int64(offset.substr(1, 2)).value_or(0);
  const auto minutes = parse_int64(offset.substr(4)).value_or(0);
  const auto total = static_cast<std::int16_t>(hours * 60 + minutes);
  return offset[0] == '-' ? static_cast<std::int16_t>(-total) : total;
}

Value timestamp_from_string(Call& call) {
  const auto time = parse_rfc3339(call[0].text());
  if (!time.ok()) return conversion_error(call, runtime_name(Timestamp));
  return Value::timestamp(*time, offset_of(call[0].text()));
}

Value duration_from_string(Call& call) {
  const auto duration = parse_duration(call[0].text());
  return duration ? Value::duration(*duration)
                  : conversion_error(call, runtime_name(TypeKind::Duration));
}

struct Conversion {
  TypeKind from;
  Implementation implementation;
  CostFunction cost = nullptr;
};

void add_conversion(Environment& environment, std::string name, TypeKind to,
                    std::initializer_list<Conversion> conversions) {
  Function function = {.name = name, .overloads = {}};
  for (const Conversion& conversion : conversions) {
    function.overloads.push_back({.id = std::string(runtime_name(conversion.from)) + "_to_" + name,
                                  .parameters = {conversion.from},
                                  .result = to,
                                  .implementation = conversion.implementation,
                                  .cost = conversion.cost});
  }
  environment.add_function(std::move(function));
}

}  // namespace

void add_conversions(Environment& environment) {
  add_conversion(environment, "bool", Bool, {{Bool, same}, {String, bool_from_string}});
  add_conversion(environment, "bytes", Bytes,
                 {{Bytes, same}, {String, bytes_from_string, cost_of_first}});
  add_conversion(environment, "double", Double,
                 {{Double, same},
                  {Int, double_from_int},
                  {String, double_from_string},
                  {Uint, double_from_uint}});
  add_conversion(environment, "duration", TypeKind::Duration,
                 {{TypeKind::Duration, same}, {String, duration_from_string}});
  add_conversion(environment, "int", Int,
                 {{Int, same},
                  {Double, int_from_double},
                  {TypeKind::Duration, int_from_duration},
                  {String, int_from_string},
                  {Timestamp, int_from_timestamp},
                  {Uint, int_from_uint}});
  add_conversion(environment, "string", String,
                 {{String, same},
                  {Bool, string_from_bool},
                  {Bytes, string_from_bytes, cost_of_first},
                  {Double, string_from_double},
                  {TypeKind::Duration, string_from_duration},
                  {Int, string_from_int},
                  {Timestamp, string_from_timestamp},
                  {Uint, string_from_uint}});
  add_conversion(environment, "timestamp", Timestamp,
                 {{Timestamp, same}, {Int, timestamp_from_int}, {String, timestamp_from_string}});
  add_conversion(
      environment, "uint", Uint,
      {{Uint, same}, {Double, uint_from_double}, {Int, uint_from_int}, {String, uint_from_string}});

  const Type any = Type::variable(0);
  environment.add_function(
      {.name = "type",
       .overloads = {{.id = "type", .parameters = {any}, .result = Type::type_of(any)}},
       .implementation = type_of});
  environment.add_function(
      {.name = "dyn",
       .overloads = {{.id = "to_dyn", .parameters = {any}, .result = TypeKind::Dyn}},
       .implementation = same});
}

}  // namespace berth::cel

#include "apiserver/tables/custom_cell.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "apiserver/tables/human_age.h"
#include "base/check.h"
#include "base/rfc3339.h"
#include "json/number.h"
#include "json/print.h"

namespace berth::apiserver {
namespace {

using json::Value;

// As Go prints a float64 by default: plain digits from 1e-4 up to 1e21, else with an exponent.
std::string double_text(double number) {
  const double size = std::fabs(number);
  if (size == 0 || (size >= 1e-4 && size < 1e21)) return json::print_double(number);
  char buffer[32];
  const auto [end, error] =
      std::to_chars(std::begin(buffer), std::end(buffer), number, std::chars_format::scientific);
  CHECK(error == std::errc());
  return std::string(std::begin(buffer), end);
}

// With the members by name and numbers in their shortest form: the order in the object shall not
// show in a table.
Value normalized(const Value& value) {
  if (value.is_array()) {
    Value array = Value::array();
    for (const Value& element : value.elements()) array.push_back(normalized(element));
    return array;
  }
  if (value.is_object()) {
    std::vector<const json::Member*> members;
    for (const json::Member& member : value.members()) members.push_back(&member);
    std::ranges::sort(members, {}, [](const json::Member* member) { return member->name(); });
    Value object = Value::object();
    for (const json::Member* member : members) {
      object.append_member(member->name(), normalized(member->value));
    }
    return object;
  }
  if (value.is_number() && !value.as_int()) {
    const double number = value.as_double().value_or(0);
    if (std::isfinite(number)) return number;
  }
  return value;
}

Value text_cell(const Value& value) {
  switch (value.kind()) {
    case json::Kind::Null:
      return "<no value>";
    case json::Kind::Boolean:
      return value.as_bool().value_or(false) ? "true" : "false";
    case json::Kind::Number:
      if (const auto integer = value.as_int()) return std::to_string(*integer);
      return double_text(value.as_double().value_or(0));
    case json::Kind::String:
      return value;
    case json::Kind::Array:
    case json::Kind::Object:
      return json::print(normalized(value), {.html = json::HtmlEscape::Yes});
  }
  return nullptr;
}

Value integer_cell(const Value& value) {
  if (const auto integer = value.as_int()) return *integer;
  const auto number = value.as_double();
  constexpr double kLimit = 9223372036854775808.0;  // 2^63
  if (!number || !(std::fabs(*number) < kLimit)) return nullptr;
  return static_cast<std::int64_t>(*number);
}

Value date_cell(const Value& value, Time now) {
  const auto text = value.as_string();
  if (!text) return nullptr;
  if (text->empty() || *text == "null") return human_age(std::nullopt, now);
  const auto time = parse_rfc3339(*text);
  return time.ok() ? human_age(*time, now) : "<invalid>";
}

}  // namespace

Value custom_cell(std::string_view type, const Value& value, Time now) {
  if (type == "string") return text_cell(value);
  if (type == "integer") return integer_cell(value);
  if (type == "number") {
    const auto number = value.as_double();
    return number && std::isfinite(*number) ? Value(*number) : Value();
  }
  if (type == "boolean") return value.is_boolean() ? value : Value();
  if (type == "date") return date_cell(value, now);
  return nullptr;
}

}  // namespace berth::apiserver

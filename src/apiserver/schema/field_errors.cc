#include "apiserver/schema/field_errors.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "base/strings.h"
#include "json/print.h"

namespace berth::apiserver {
namespace {

Cause cause(std::string_view reason, std::string_view field, std::string message,
            std::string_view detail) {
  if (!detail.empty()) {
    message += ": ";
    message += detail;
  }
  return {.reason = std::string(reason),
          .message = std::move(message),
          .field = std::string(field.empty() ? "<nil>" : field)};
}

json::Value with_sorted_names(const json::Value& value) {
  if (value.is_array()) {
    json::Value sorted = json::Value::array();
    for (const json::Value& element : value.elements())
      sorted.push_back(with_sorted_names(element));
    return sorted;
  }
  if (!value.is_object()) return value;
  std::vector<const json::Member*> members;
  for (const json::Member& member : value.members()) members.push_back(&member);
  std::ranges::sort(members, {}, &json::Member::name);
  json::Value sorted = json::Value::object();
  for (const json::Member* member : members) {
    sorted.append_member(member->name(), with_sorted_names(member->value));
  }
  return sorted;
}

}  // namespace

std::string child(std::string_view path, std::string_view name) {
  return path.empty() ? std::string(name) : fmt::format("{}.{}", path, name);
}

std::string keyed(std::string_view path, std::string_view key) {
  return fmt::format("{}[{}]", path, key);
}

std::string indexed(std::string_view path, std::size_t index) {
  return fmt::format("{}[{}]", path, index);
}

Cause required(std::string_view field, std::string_view detail) {
  return cause("FieldValueRequired", field, "Required value", detail);
}

Cause forbidden(std::string_view field, std::string_view detail) {
  return cause("FieldValueForbidden", field, "Forbidden", detail);
}

Cause invalid(std::string_view field, const json::Value& value, std::string_view detail) {
  return cause("FieldValueInvalid", field, "Invalid value: " + shown(value), detail);
}

Cause invalid_whole(std::string_view field, std::string_view detail) {
  return cause("FieldValueInvalid", field, "Invalid value", detail);
}

Cause type_invalid(std::string_view field, const json::Value& value, std::string_view detail) {
  return cause("FieldValueTypeInvalid", field, "Invalid value: " + shown(value), detail);
}

Cause not_supported(std::string_view field, const json::Value& value,
                    std::span<const std::string> supported) {
  std::string detail;
  for (const std::string& allowed : supported) {
    detail += detail.empty() ? "supported values: " : ", ";
    detail += quote(allowed);
  }
  return cause("FieldValueNotSupported", field, "Unsupported value: " + shown(value), detail);
}

Cause duplicate(std::string_view field, const json::Value& value) {
  return cause("FieldValueDuplicate", field, "Duplicate value: " + shown(value), "");
}

Cause too_long(std::string_view field, std::int64_t bytes_max) {
  return cause("FieldValueTooLong", field, "Too long",
               fmt::format("may not be more than {} byte{}", bytes_max, bytes_max == 1 ? "" : "s"));
}

Cause too_many(std::string_view field, std::int64_t count, std::int64_t count_max) {
  return cause("FieldValueTooMany", field, fmt::format("Too many: {}", count),
               fmt::format("must have at most {} item{}", count_max, count_max == 1 ? "" : "s"));
}

Cause internal_error(std::string_view field, std::string_view detail) {
  return cause("InternalError", field, "Internal error", detail);
}

std::string shown(const json::Value& value) {
  switch (value.kind()) {
    case json::Kind::String:
      return quote(*value.as_string());
    case json::Kind::Number:
      if (const auto number = value.as_int()) return std::to_string(*number);
      return shown(*value.as_double());
    case json::Kind::Null:
    case json::Kind::Boolean:
    case json::Kind::Array:
    case json::Kind::Object:
      break;
  }
  return json::print(with_sorted_names(value), {.html = json::HtmlEscape::Yes});
}

std::string shown(double number) {
  if (std::isinf(number)) return number < 0 ? "-Inf" : "+Inf";
  constexpr double kScientificFrom = 1e6;
  constexpr double kScientificBelow = 1e-4;
  const double size = std::abs(number);
  const bool is_plain = size == 0 || (size >= kScientificBelow && size < kScientificFrom);
  char digits[64];
  const auto end =
      std::to_chars(std::begin(digits), std::end(digits), number,
                    is_plain ? std::chars_format::fixed : std::chars_format::scientific);
  return {digits, end.ptr};
}

std::string describe(std::span<const Cause> causes) {
  std::vector<std::string> lines;
  for (const Cause& it : causes) {
    std::string line = fmt::format("{}: {}", it.field, it.message);
    if (std::ranges::find(lines, line) == lines.end()) lines.push_back(std::move(line));
  }
  if (lines.size() == 1) return lines.front();
  return "[" + join(lines, ", ") + "]";
}

}  // namespace berth::apiserver

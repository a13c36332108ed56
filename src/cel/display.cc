#include "cel/display.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "base/rfc3339.h"
#include "base/strings.h"

namespace berth::cel {
namespace {

// Enough for a message; a value can be arbitrarily large.
constexpr std::size_t kTextMax = 4096;

std::string literal_double(double number) {
  if (std::isnan(number)) return "double(\"NaN\")";
  if (std::isinf(number)) return number < 0 ? "double(\"-Infinity\")" : "double(\"Infinity\")";
  std::string text = fmt::format("{}", number);
  char buffer[512];
  const auto [end, error] =
      std::to_chars(buffer, buffer + sizeof(buffer), number, std::chars_format::fixed);
  if (error == std::errc()) text.assign(buffer, end);
  return text.find('.') == std::string::npos ? text + ".0" : text;
}

void append(std::string& text, const Value& value);

void append_list(std::string& text, const Value& list) {
  text += '[';
  for (std::size_t i = 0; i < list.size() && text.size() < kTextMax; ++i) {
    if (i > 0) text += ", ";
    append(text, list.element(i));
  }
  text += ']';
}

void append_map(std::string& text, const Value& map) {
  text += '{';
  for (std::size_t i = 0; i < map.size() && text.size() < kTextMax; ++i) {
    if (i > 0) text += ", ";
    const MapEntry entry = map.entry(i);
    append(text, entry.key);
    text += ": ";
    append(text, entry.value);
  }
  text += '}';
}

void append_bytes(std::string& text, std::string_view bytes) {
  text += "b\"";
  for (const char byte : bytes.substr(0, kTextMax)) {
    text += fmt::format("\\{:03o}", static_cast<unsigned char>(byte));
  }
  text += '"';
}

void append(std::string& text, const Value& value) {
  switch (value.kind()) {
    case ValueKind::Error:
      text += value.text();
      break;
    case ValueKind::Null:
      text += "null";
      break;
    case ValueKind::Bool:
      text += value.as_bool() ? "true" : "false";
      break;
    case ValueKind::Int:
      text += std::to_string(value.as_int());
      break;
    case ValueKind::Uint:
      text += std::to_string(value.as_uint()) + "u";
      break;
    case ValueKind::Double:
      text += literal_double(value.as_double());
      break;
    case ValueKind::String:
      text += quote(cut_utf8(value.text(), kTextMax));
      break;
    case ValueKind::Bytes:
      append_bytes(text, value.text());
      break;
    case ValueKind::List:
      append_list(text, value);
      break;
    case ValueKind::Map:
      append_map(text, value);
      break;
    case ValueKind::Timestamp:
      text += "timestamp(\"" + format_nanos(value.as_timestamp()) + "\")";
      break;
    case ValueKind::Duration:
      text += "duration(\"" + display_duration(value.as_duration()) + "\")";
      break;
    case ValueKind::Type:
      text += value.text();
      break;
    case ValueKind::Optional:
      if (!value.has_value()) {
        text += "optional.none()";
        break;
      }
      text += "optional.of(";
      append(text, value.inner());
      text += ')';
      break;
    case ValueKind::Opaque:
      text += value.as_opaque().display();
      break;
  }
}

}  // namespace

std::string display(const Value& value) {
  std::string text;
  append(text, value);
  return text;
}

std::string display_double(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number < 0 ? "-Inf" : "+Inf";
  char buffer[64];
  const auto shortest =
      std::to_chars(buffer, buffer + sizeof(buffer), number, std::chars_format::scientific);
  const std::string scientific(buffer, shortest.ptr);
  const std::size_t mark = scientific.find('e');
  const int exponent = std::stoi(scientific.substr(mark + 1));
  // Go prints %g with an exponent below -4 and from 6 digits on.
  if (exponent < -4 || exponent >= 6) return scientific;
  const auto plain =
      std::to_chars(buffer, buffer + sizeof(buffer), number, std::chars_format::fixed);
  return {buffer, plain.ptr};
}

std::string display_duration(Duration duration) {
  // Through a double, as Go does: beyond 15 digits the last ones are its approximation.
  const std::int64_t whole = duration.count() / 1'000'000'000;
  const std::int64_t rest = duration.count() % 1'000'000'000;
  const double seconds = static_cast<double>(whole) + static_cast<double>(rest) / 1e9;
  char buffer[64];
  const auto end =
      std::to_chars(buffer, buffer + sizeof(buffer), seconds, std::chars_format::fixed).ptr;
  return std::string(buffer, end) + "s";
}

}  // namespace berth::cel

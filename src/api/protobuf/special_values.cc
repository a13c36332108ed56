#include "api/protobuf/special_values.h"

#include <cstdint>
#include <optional>

#include "api/protobuf/wire.h"
#include "base/rfc3339.h"
#include "base/strings.h"
#include "json/parse.h"

namespace berth::api::protobuf {
namespace {

using json::Value;

// Negative numbers are written as the 64 bits of their two's complement.
std::int64_t signed_of(const WireField& field) { return static_cast<std::int64_t>(field.varint); }

// The field of a small message; one with number 0 when it is not there.
Result<WireField> field_of(std::string_view message, std::uint32_t number, WireType type) {
  WireField found;
  WireReader reader(message);
  while (const auto field = reader.next()) {
    if (field->number == number && field->type == type) found = *field;
  }
  if (reader.failed()) return failure(Code::BadRequest, "a value is no protobuf message");
  return found;
}

// nullopt: Go writes nothing for a time that is none, and its zero is in year 1.
Result<std::optional<Time>> read_time(std::string_view message) {
  if (message.empty()) return std::nullopt;
  ASSIGN_OR_RETURN(const WireField seconds, field_of(message, 1, WireType::Varint));
  ASSIGN_OR_RETURN(const WireField nanoseconds, field_of(message, 2, WireType::Varint));
  constexpr std::int64_t kPerSecond = 1'000'000'000;
  const bool fits = signed_of(seconds) >= Time::min().unix_seconds() &&
                    signed_of(seconds) <= Time::max().unix_seconds() &&
                    signed_of(nanoseconds) >= 0 && signed_of(nanoseconds) < kPerSecond;
  if (!fits) return failure(Code::BadRequest, "a time is not within the years 1 to 9999");
  const Time time =
      Time::from_unix(signed_of(seconds), static_cast<std::int32_t>(nanoseconds.varint));
  if (time == Time::min()) return std::nullopt;
  return time;
}

}  // namespace

Result<Value> text_value(std::string_view bytes) {
  if (!is_valid_utf8(bytes)) return failure(Code::BadRequest, "a string is not UTF-8");
  return Value(bytes);
}

Result<Value> time_value(std::string_view message) {
  ASSIGN_OR_RETURN(const std::optional<Time> time, read_time(message));
  return time ? Value(format_seconds(*time)) : Value();
}

Result<Value> micro_time_value(std::string_view message) {
  ASSIGN_OR_RETURN(const std::optional<Time> time, read_time(message));
  return time ? Value(format_micros(*time)) : Value();
}

Result<Value> quantity_value(std::string_view message) {
  ASSIGN_OR_RETURN(const WireField text, field_of(message, 1, WireType::Bytes));
  return text_value(text.bytes);
}

Result<Value> int_or_string_value(std::string_view message) {
  constexpr std::uint64_t kIsText = 1;
  ASSIGN_OR_RETURN(const WireField kind, field_of(message, 1, WireType::Varint));
  if (kind.varint == kIsText) {
    ASSIGN_OR_RETURN(const WireField text, field_of(message, 3, WireType::Bytes));
    return text_value(text.bytes);
  }
  ASSIGN_OR_RETURN(const WireField number, field_of(message, 2, WireType::Varint));
  return Value(signed_of(number));
}

Result<Value> strings_value(std::string_view message) {
  Value strings = Value::array();
  WireReader reader(message);
  while (const auto field = reader.next()) {
    if (field->number != 1 || field->type != WireType::Bytes) continue;
    ASSIGN_OR_RETURN(Value text, text_value(field->bytes));
    strings.push_back(std::move(text));
  }
  if (reader.failed()) return failure(Code::BadRequest, "a value is no protobuf message");
  return strings;
}

Result<Value> raw_json_value(std::string_view message, std::size_t depth_max) {
  ASSIGN_OR_RETURN(const WireField raw, field_of(message, 1, WireType::Bytes));
  if (raw.bytes.empty()) return Value();
  return json::parse(raw.bytes, {.depth_max = depth_max});
}

}  // namespace berth::api::protobuf

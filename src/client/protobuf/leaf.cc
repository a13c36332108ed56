#include "client/protobuf/leaf.h"

#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "base/rfc3339.h"
#include "base/strings.h"
#include "json/parse.h"

namespace berth::client::protobuf {
namespace {

bool is_number(FieldType type) { return type == FieldType::Integer || type == FieldType::Boolean; }

// Negative numbers are written as the 64 bits of their two's complement.
std::int64_t signed_of(const WireField& field) { return static_cast<std::int64_t>(field.varint); }

Result<json::Value> text_of(std::string_view bytes) {
  if (!is_valid_utf8(bytes)) return failure(Code::NotAcceptable, "a string is not UTF-8");
  return json::Value(bytes);
}

// The field of a small message; one with number 0 when it is not there.
Result<WireField> field_of(std::string_view message, std::uint32_t number, WireType type) {
  WireField found;
  WireReader reader(message);
  while (const auto field = reader.next()) {
    if (field->number == number && field->type == type) found = *field;
  }
  if (reader.failed()) return failure(Code::NotAcceptable, "a value is no protobuf message");
  return found;
}

// Go writes nothing for a time that is none. metav1.Time shows no fraction of a second.
Result<json::Value> time_of(std::string_view bytes) {
  ASSIGN_OR_RETURN(const WireField seconds, field_of(bytes, 1, WireType::Varint));
  if (seconds.number == 0) return json::Value();
  return json::Value(format_seconds(Time::from_unix(signed_of(seconds))));
}

Result<json::Value> quantity_of(std::string_view bytes) {
  ASSIGN_OR_RETURN(const WireField text, field_of(bytes, 1, WireType::Bytes));
  return text_of(text.bytes);
}

Result<json::Value> int_or_string_of(std::string_view bytes) {
  constexpr std::uint64_t kIsText = 1;
  ASSIGN_OR_RETURN(const WireField kind, field_of(bytes, 1, WireType::Varint));
  if (kind.varint == kIsText) {
    ASSIGN_OR_RETURN(const WireField text, field_of(bytes, 3, WireType::Bytes));
    return text_of(text.bytes);
  }
  ASSIGN_OR_RETURN(const WireField number, field_of(bytes, 2, WireType::Varint));
  return json::Value(signed_of(number));
}

Result<json::Value> json_of(std::string_view bytes) {
  ASSIGN_OR_RETURN(const WireField raw, field_of(bytes, 1, WireType::Bytes));
  return raw.bytes.empty() ? json::Value() : json::parse(raw.bytes);
}

}  // namespace

Result<json::Value> leaf_value(const FieldSchema& schema, const WireField& field) {
  const WireType expected = is_number(schema.type) ? WireType::Varint : WireType::Bytes;
  if (field.type != expected) {
    return failure(Code::NotAcceptable, fmt::format("{} is of another wire type", schema.name));
  }
  switch (schema.type) {
    case FieldType::String:
      return text_of(field.bytes);
    case FieldType::Integer:
      return json::Value(signed_of(field));
    case FieldType::Boolean:
      return json::Value(field.varint != 0);
    case FieldType::Time:
      return time_of(field.bytes);
    case FieldType::Quantity:
      return quantity_of(field.bytes);
    case FieldType::IntOrString:
      return int_or_string_of(field.bytes);
    case FieldType::Json:
      return json_of(field.bytes);
    case FieldType::Message:
      break;
  }
  return failure(Code::NotAcceptable, fmt::format("{} is a message", schema.name));
}

bool is_left_out(const FieldSchema& schema, const WireField& field) {
  if (schema.keeps_zero) return false;
  if (is_number(schema.type)) return field.varint == 0;
  return schema.type == FieldType::String && field.bytes.empty();
}

}  // namespace berth::client::protobuf

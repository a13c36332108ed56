#include "client/protobuf/leaf.h"

#include <cstdint>

#include <fmt/format.h>

#include "api/protobuf/special_values.h"

namespace berth::client::protobuf {
namespace {

bool is_number(FieldType type) { return type == FieldType::Integer || type == FieldType::Boolean; }

// What we cannot read is what we should not have asked for.
Result<json::Value> asked_for(Result<json::Value> value) {
  if (!value.ok()) value.error().code = Code::NotAcceptable;
  return value;
}

}  // namespace

Result<json::Value> leaf_value(const FieldSchema& schema, const WireField& field) {
  const WireType expected = is_number(schema.type) ? WireType::Varint : WireType::Bytes;
  if (field.type != expected) {
    return failure(Code::NotAcceptable, fmt::format("{} is of another wire type", schema.name));
  }
  switch (schema.type) {
    case FieldType::String:
      return asked_for(api::protobuf::text_value(field.bytes));
    case FieldType::Integer:
      // Negative numbers are written as the 64 bits of their two's complement.
      return json::Value(static_cast<std::int64_t>(field.varint));
    case FieldType::Boolean:
      return json::Value(field.varint != 0);
    case FieldType::Time:
      return asked_for(api::protobuf::time_value(field.bytes));
    case FieldType::Quantity:
      return asked_for(api::protobuf::quantity_value(field.bytes));
    case FieldType::IntOrString:
      return asked_for(api::protobuf::int_or_string_value(field.bytes));
    case FieldType::Json:
      return asked_for(api::protobuf::raw_json_value(field.bytes, json::kDepthMax));
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

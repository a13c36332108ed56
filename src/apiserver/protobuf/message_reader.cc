#include "apiserver/protobuf/message_reader.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "api/protobuf/special_values.h"
#include "api/protobuf/wire.h"
#include "base/base64.h"
#include "json/equal_names.h"

namespace berth::apiserver {
namespace {

using api::protobuf::WireField;
using api::protobuf::WireReader;
using api::protobuf::WireType;
using json::Member;
using json::Value;

// Messages and raw JSON inside of them stay below the depth that a Value may have: a message is at
// most a list of objects.
constexpr std::size_t kRawJsonDepthMax = 500;
static_assert(2 * kMessageDepthMax + kRawJsonDepthMax < json::kDepthMax);

std::unexpected<Error> bad(std::string problem) {
  return failure(Code::BadRequest, std::move(problem));
}

// What was met of one field so far.
struct Slot {
  bool is_met = false;
  Value value = {};                  // Of a List all elements.
  std::vector<Member> members = {};  // Of a Map, and of what is embedded.
};

class MessageReader {
 public:
  explicit MessageReader(std::size_t depth) : depth_(depth) {}

  Result<std::vector<Member>> read(const MessageType& type, std::string_view bytes,
                                   std::vector<Member> before) const {
    if (depth_ > kMessageDepthMax) return bad("messages lie too deep inside each other");
    std::vector<Slot> slots(type.fields.size());
    WireReader reader(bytes);
    while (const auto field = reader.next()) {
      const MessageField* known = type.find(field->number);
      if (!known) continue;
      Status status = read_field(*known, *field, slots[place_of(type, *known)]);
      if (!status.ok()) return bad(at_field(*known, status.error().message));
    }
    if (reader.failed()) return bad("not in the wire format of protobuf");
    for (std::size_t i = 0; i < slots.size(); ++i) {
      append(before, type.fields[i], std::move(slots[i]));
    }
    return before;
  }

 private:
  static std::size_t place_of(const MessageType& type, const MessageField& field) {
    return static_cast<std::size_t>(&field - type.fields.data());
  }

  static std::string at_field(const MessageField& field, const std::string& problem) {
    return field.name.empty() ? problem : fmt::format("{}: {}", field.name, problem);
  }

  static void append(std::vector<Member>& members, const MessageField& field, Slot slot) {
    if (!slot.is_met) return;
    if (field.shape == FieldShape::Embedded) {
      std::ranges::move(slot.members, std::back_inserter(members));
      return;
    }
    if (field.shape == FieldShape::Map) {
      const std::size_t count = json::merge_equal_names(slot.members).count;
      slot.value = Value::take_object(std::span(slot.members).first(count));
    }
    if (slot.value.is_null()) return;
    members.push_back({.key = field.name, .value = std::move(slot.value)});
  }

  Status read_field(const MessageField& field, const WireField& wire, Slot& slot) const {
    const bool is_repeated = field.shape == FieldShape::List || field.shape == FieldShape::Map;
    if (slot.is_met && !is_repeated) return bad("comes twice");
    slot.is_met = true;
    switch (field.shape) {
      case FieldShape::Map:
        return read_entry(field, wire, slot);
      case FieldShape::List: {
        ASSIGN_OR_RETURN(Value element, read_value(field, wire));
        slot.value.push_back(std::move(element));
        return {};
      }
      case FieldShape::Embedded: {
        if (wire.type != WireType::Bytes) return bad("of another wire type");
        ASSIGN_OR_RETURN(slot.members,
                         MessageReader(depth_ + 1).read(*field.message, wire.bytes, {}));
        return {};
      }
      case FieldShape::One:
        break;
    }
    ASSIGN_OR_RETURN(Value value, read_value(field, wire));
    if (field.keeps_zero || !is_zero(field, wire)) slot.value = std::move(value);
    return {};
  }

  // What JSON leaves out when nothing says otherwise. Messages are never left out.
  static bool is_zero(const MessageField& field, const WireField& wire) {
    switch (field.type) {
      case FieldType::String:
      case FieldType::Bytes:
        return wire.bytes.empty();
      case FieldType::Integer:
      case FieldType::Boolean:
        return wire.varint == 0;
      case FieldType::Double:
        return wire.bytes.find_first_not_of('\0') == std::string_view::npos;
      default:
        return false;
    }
  }

  // A message with the name as field 1 and the value as field 2; either is left out when empty.
  Status read_entry(const MessageField& field, const WireField& wire, Slot& slot) const {
    if (wire.type != WireType::Bytes) return bad("of another wire type");
    std::string_view name;
    WireField value{.type = wire_type_of(field.type)};
    WireReader reader(wire.bytes);
    while (const auto part = reader.next()) {
      if (part->number == 1) name = part->bytes;
      if (part->number == 2) value = *part;
    }
    if (reader.failed()) return bad("not in the wire format of protobuf");
    ASSIGN_OR_RETURN(Value key, api::protobuf::text_value(name));
    auto read = read_value(field, value);
    if (!read.ok()) return bad(fmt::format("{}: {}", name, read.error().message));
    slot.members.push_back({.key = std::move(key), .value = std::move(*read)});
    return {};
  }

  static WireType wire_type_of(FieldType type) {
    if (type == FieldType::Integer || type == FieldType::Boolean) return WireType::Varint;
    return type == FieldType::Double ? WireType::Fixed64 : WireType::Bytes;
  }

  Result<Value> read_value(const MessageField& field, const WireField& wire) const {
    if (wire.type != wire_type_of(field.type)) return bad("of another wire type");
    switch (field.type) {
      case FieldType::String:
        return api::protobuf::text_value(wire.bytes);
      case FieldType::Integer:
        // Negative numbers are written as the 64 bits of their two's complement.
        return Value(static_cast<std::int64_t>(wire.varint));
      case FieldType::Boolean:
        return Value(wire.varint != 0);
      case FieldType::Double:
        return read_double(wire.bytes);
      case FieldType::Bytes:
        return Value(encode_base64(wire.bytes));
      case FieldType::Time:
        return api::protobuf::time_value(wire.bytes);
      case FieldType::MicroTime:
        return api::protobuf::micro_time_value(wire.bytes);
      case FieldType::Quantity:
        return api::protobuf::quantity_value(wire.bytes);
      case FieldType::IntOrString:
        return api::protobuf::int_or_string_value(wire.bytes);
      case FieldType::Json:
        return api::protobuf::raw_json_value(wire.bytes, kRawJsonDepthMax);
      case FieldType::Strings:
        return api::protobuf::strings_value(wire.bytes);
      default:
        return read_nested(field, wire.bytes);
    }
  }

  static Result<Value> read_double(std::string_view bytes) {
    std::uint64_t bits = 0;
    for (std::size_t i = bytes.size(); i > 0; --i) {
      bits = bits << 8 | static_cast<std::uint8_t>(bytes[i - 1]);
    }
    const double number = std::bit_cast<double>(bits);
    if (!std::isfinite(number)) return bad("a number that JSON cannot say");
    return Value(number);
  }

  Result<Value> read_nested(const MessageField& field, std::string_view bytes) const {
    switch (field.type) {
      case FieldType::SchemaOrArray:
        return read_schema_or_array(field, bytes);
      case FieldType::SchemaOrBool:
        return read_schema_or_bool(field, bytes);
      case FieldType::SchemaOrStrings:
        return read_schema_or_strings(field, bytes);
      default:
        return read_object(*field.message, bytes);
    }
  }

  Result<Value> read_object(const MessageType& type, std::string_view bytes) const {
    ASSIGN_OR_RETURN(std::vector<Member> members, MessageReader(depth_ + 1).read(type, bytes, {}));
    return Value::take_object(members);
  }

  // Field 1 is a schema, field 2 a list of schemas; the list wins.
  Result<Value> read_schema_or_array(const MessageField& field, std::string_view bytes) const {
    Value schema;
    Value schemas;
    WireReader reader(bytes);
    while (const auto part = reader.next()) {
      if (part->number != 1 && part->number != 2) continue;
      if (part->type != WireType::Bytes) return bad("of another wire type");
      ASSIGN_OR_RETURN(Value read, read_object(*field.message, part->bytes));
      if (part->number == 1) schema = std::move(read);
      if (part->number == 2) schemas.push_back(std::move(read));
    }
    if (reader.failed()) return bad("not in the wire format of protobuf");
    return schemas.is_null() ? schema : schemas;
  }

  // Field 1 is a boolean, field 2 a schema, which wins.
  Result<Value> read_schema_or_bool(const MessageField& field, std::string_view bytes) const {
    Value answer = false;
    WireReader reader(bytes);
    while (const auto part = reader.next()) {
      if (part->number == 1 && !answer.is_object()) answer = part->varint != 0;
      if (part->number != 2) continue;
      if (part->type != WireType::Bytes) return bad("of another wire type");
      ASSIGN_OR_RETURN(answer, read_object(*field.message, part->bytes));
    }
    if (reader.failed()) return bad("not in the wire format of protobuf");
    return answer;
  }

  // Field 1 is a schema, field 2 a list of strings, which wins.
  Result<Value> read_schema_or_strings(const MessageField& field, std::string_view bytes) const {
    Value schema;
    Value strings;
    WireReader reader(bytes);
    while (const auto part = reader.next()) {
      if (part->number == 1 && part->type == WireType::Bytes) {
        ASSIGN_OR_RETURN(schema, read_object(*field.message, part->bytes));
      }
      if (part->number == 2 && part->type == WireType::Bytes) {
        ASSIGN_OR_RETURN(Value text, api::protobuf::text_value(part->bytes));
        strings.push_back(std::move(text));
      }
    }
    if (reader.failed()) return bad("not in the wire format of protobuf");
    return strings.is_null() ? schema : strings;
  }

  std::size_t depth_;
};

}  // namespace

Result<std::vector<Member>> read_message(const MessageType& type, std::string_view bytes,
                                         std::vector<Member> before) {
  return MessageReader(1).read(type, bytes, std::move(before));
}

}  // namespace berth::apiserver

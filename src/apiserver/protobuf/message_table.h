// The protobuf messages of the kinds that clients may send in that form: which field has which
// number, and how Kubernetes spells it in JSON.

#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "api/group_version.h"
#include "json/value.h"

namespace berth::apiserver {

enum class FieldType : std::uint8_t {
  String,
  Integer,
  Boolean,
  Double,
  Bytes,            // Base64 in JSON.
  Time,             // RFC 3339; absent when it is none.
  MicroTime,        // The same with six digits of a second.
  Quantity,         // A string.
  IntOrString,      // A number or a string.
  Json,             // As it stands.
  Strings,          // A list of strings that is a message of its own.
  SchemaOrArray,    // JSONSchemaProps, or a list of them.
  SchemaOrBool,     // JSONSchemaProps, or a boolean.
  SchemaOrStrings,  // JSONSchemaProps, or a list of strings.
  Message,
};

enum class FieldShape : std::uint8_t {
  One,
  List,
  Map,       // Of names to values.
  Embedded,  // A message whose members belong to the message around it.
};

struct MessageType;

struct MessageField {
  std::uint32_t number = 0;
  std::string name = {};  // In JSON; empty when embedded.
  FieldType type = FieldType::String;
  const MessageType* message = nullptr;  // Of a Message, and the schema of a SchemaOr.
  FieldShape shape = FieldShape::One;
  bool keeps_zero = false;  // JSON shows zero, false and "" too.
};

struct MessageType {
  std::vector<MessageField> fields = {};      // In the order of JSON.
  std::vector<std::uint32_t> by_number = {};  // Places in `fields`.

  const MessageField* find(std::uint32_t number) const;
};

class MessageTable {
 public:
  // Of the table of kinds. It is ours, so what is wrong with it is a broken invariant.
  explicit MessageTable(const json::Value& table);
  MessageTable(const MessageTable&) = delete;
  MessageTable& operator=(const MessageTable&) = delete;

  // Null when objects of that kind cannot be sent in protobuf. DeleteOptions are of every group.
  const MessageType* find_kind(const api::Gvk& kind) const;

  // The kinds, as "apps/v1/Deployment".
  std::vector<std::string> kinds() const;

 private:
  std::deque<MessageType> messages_;
  std::map<std::string, const MessageType*, std::less<>> kinds_;
};

}  // namespace berth::apiserver

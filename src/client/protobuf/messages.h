// The protobuf messages of the kinds that can be read in that form: which field has which number,
// and how Kubernetes spells it in JSON.

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "client/resource.h"

namespace berth::client::protobuf {

enum class FieldType : std::uint8_t {
  String,
  Integer,
  Boolean,
  Time,         // RFC 3339; nothing when it is zero.
  Quantity,     // A string.
  IntOrString,  // A number or a string.
  Json,         // As it stands.
  Message,
};

enum class Shape : std::uint8_t {
  One,
  List,
  Map,       // Of names to values.
  Embedded,  // A message whose members belong to the message around it.
};

struct FieldSchema {
  std::uint32_t number = 0;
  std::string_view name = {};  // In JSON; empty when embedded.
  FieldType type = FieldType::String;
  std::string_view message = {};  // The name of a Message.
  Shape shape = Shape::One;
  bool keeps_zero = false;  // JSON shows zero, false and "" too.
};

// The name of the message of that resource's objects, which is their kind; empty when it is not
// known here.
std::string_view message_of(const Gvr& resource);

// All fields of a message; none when it is not known. The views live as long as the program.
std::vector<FieldSchema> fields_of(std::string_view message);

}  // namespace berth::client::protobuf

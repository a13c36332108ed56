// Members that are to be written into: whatever stands there instead of what is expected makes
// room.

#pragma once

#include <string_view>

#include "json/value.h"

namespace berth::fleet {

inline json::Value& object_in(json::Value& parent, std::string_view name) {
  json::Value& member = parent[name];
  if (!member.is_object()) member = json::Value::object();
  return member;
}

inline json::Value& array_in(json::Value& parent, std::string_view name) {
  json::Value& member = parent[name];
  if (!member.is_array()) member = json::Value::array();
  return member;
}

}  // namespace berth::fleet

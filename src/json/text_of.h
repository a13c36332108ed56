// Texts of an object where absent and empty mean the same.

#pragma once

#include <initializer_list>
#include <string_view>

#include "json/value.h"

namespace berth::json {

// The text in the object's member of that name; "" when there is none, or it is something else.
inline std::string_view text_of(const Value* object, std::string_view name) {
  const Value* member = object ? object->find(name) : nullptr;
  return member ? member->string_or_empty() : std::string_view();
}
inline std::string_view text_of(const Value& object, std::string_view name) {
  return text_of(&object, name);
}

// The same along several names: text_at(object, {"metadata", "uid"}).
inline std::string_view text_at(const Value& object,
                                std::initializer_list<std::string_view> names) {
  const Value* found = object.find_path(names);
  return found ? found->string_or_empty() : std::string_view();
}

}  // namespace berth::json

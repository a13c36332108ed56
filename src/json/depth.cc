#include "json/depth.h"

#include <algorithm>

namespace berth::json {

std::size_t depth_of(const Value& value) {
  if (!value.is_array() && !value.is_object()) return 0;
  std::size_t deepest = 0;
  for (const Value& element : value.elements()) deepest = std::max(deepest, depth_of(element));
  for (const Member& member : value.members()) {
    deepest = std::max(deepest, depth_of(member.value));
  }
  return deepest + 1;
}

}  // namespace berth::json

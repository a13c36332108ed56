// The order of a list after a strategic merge: what the patch names comes in the patch's order,
// the rest keeps its order, and both are interleaved as they were before.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"

namespace berth::json {

// What tells an element of a list from the others: the value of its merge key, or the element
// itself if the key is "". "" for an object without that key.
std::string element_identity(const Value& element, std::string_view merge_key);

struct ElementOrder {
  std::span<const Value> wanted;  // The patch, or its $setElementOrder list.
  std::span<const Value> before;  // The list as it was.
  std::string_view merge_key;     // "" for lists of scalars.
};

// Elements of `wanted` that are not in `merged` are no obstacle: they name nothing.
std::vector<Value> order_elements(std::vector<Value> merged, const ElementOrder& order);

}  // namespace berth::json

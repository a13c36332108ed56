#include "api/labels.h"

#include <algorithm>

namespace berth::api {

std::optional<std::string_view> Labels::find(std::string_view key) const {
  if (object_) {
    const json::Value* value = object_->find(key);
    return value ? value->as_string() : std::nullopt;
  }
  const auto found = std::ranges::lower_bound(
      sorted_, key, {}, [](const Label& label) { return std::string_view(label.key); });
  if (found == sorted_.end() || found->key != key) return std::nullopt;
  return found->value;
}

}  // namespace berth::api

// Labels: a borrowed look at the labels of an object, wherever they are kept.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "json/value.h"

namespace berth::api {

struct Label {
  std::string key;
  std::string value;

  auto operator<=>(const Label&) const = default;
};

// Like a string_view, it must not outlive what it looks at.
class Labels {
 public:
  Labels() = default;  // No labels.

  // The members of metadata.labels; anything that is no object counts as no labels.
  explicit Labels(const json::Value& object) : object_(&object) {}
  explicit Labels(const json::Value* object_or_null) : object_(object_or_null) {}

  // Must be sorted by key, each key once.
  explicit Labels(std::span<const Label> sorted) : sorted_(sorted) {}

  std::optional<std::string_view> find(std::string_view key) const;
  bool has(std::string_view key) const { return find(key).has_value(); }

 private:
  const json::Value* object_ = nullptr;
  std::span<const Label> sorted_;
};

}  // namespace berth::api

// Place: a part of an object, and how Kubernetes calls where it is.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "apiserver/schema/value_path.h"
#include "json/value.h"

namespace berth::apiserver {

// Borrows the object and the place that it was reached from: keep each step in a variable of its
// own, or use it up in the same expression. What is absent is a null at its place.
class Place {
 public:
  explicit Place(const json::Value& object) : value_(&object) {}

  Place operator[](std::string_view name) const& { return {member(name), path_.child(name)}; }
  Place operator[](std::string_view name) && = delete;

  // Of a list and of a map: "ports[0]", "limits[cpu]".
  Place at(std::size_t index) const&;
  Place at(std::size_t index) && = delete;
  Place key(std::string_view name) const& { return {member(name), path_.key(name)}; }
  Place key(std::string_view name) && = delete;

  const json::Value& value() const { return *value_; }
  std::string path() const { return path_.text(); }
  bool is_set() const { return !value_->is_null(); }
  std::size_t size() const {
    return value_->is_array() || value_->is_object() ? value_->size() : 0;
  }
  std::string_view text() const { return value_->string_or_empty(); }
  std::optional<std::int64_t> number() const { return value_->as_int(); }
  bool is_true() const { return value_->as_bool() == true; }

 private:
  Place(const json::Value& value, ValuePath path) : value_(&value), path_(path) {}

  const json::Value& member(std::string_view name) const;

  const json::Value* value_;
  ValuePath path_ = {};
};

}  // namespace berth::apiserver

// FieldPath: where in an object a field is, in the terms of server-side apply: lists are entered by
// the key or the value of an element, not by its position.

#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace berth::apiserver {

// One step of a path.
struct PathElement {
  enum class Kind : std::uint8_t {
    Field,  // A member of an object: its name.
    Key,    // An element of an associative list: an object of its keys, by name.
    Value,  // An element of a set: the element itself.
    Index,  // An element of a list that has neither.
  };

  Kind kind = Kind::Field;
  json::Value value = {};

  static PathElement field(std::string_view name) { return {Kind::Field, name}; }
  static PathElement key(json::Value keys);  // An object, with its members in any order.
  static PathElement of_value(json::Value value) { return {Kind::Value, std::move(value)}; }

  bool is_field() const { return kind == Kind::Field; }
  std::string_view name() const { return value.string_or_empty(); }

  // Kinds in the order above; within a kind by value, numbers before texts before truth values.
  // 1 and 1.0 are the same.
  friend std::weak_ordering operator<=>(const PathElement& a, const PathElement& b);
  friend bool operator==(const PathElement& a, const PathElement& b) { return (a <=> b) == 0; }
};

using FieldPath = std::vector<PathElement>;

// The names of members, from the outermost on.
FieldPath path_of(std::initializer_list<std::string_view> names);

// ".spec.ports[port=80,protocol=\"TCP\"].name", as conflicts and errors show it.
std::string text_of(const PathElement& element);
std::string text_of(std::span<const PathElement> path);

// The spelling in FieldsV1: f:NAME, k:{"KEY":VALUE}, v:VALUE, i:INDEX.
std::string encode_element(const PathElement& element);

// nullopt for a kind of step that is not known: a later version may have brought it, and it is
// ignored. Error BadRequest for what cannot be any step.
Result<std::optional<PathElement>> decode_element(std::string_view text);

}  // namespace berth::apiserver

// Reading single fields of an object that may not have them. What is absent, null or of the wrong
// type reads as empty: a schema has refused such objects before, and nothing may crash on one that
// slipped through.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/labels.h"
#include "base/time.h"
#include "json/value.h"

namespace berth::api {

// The member, or a null when there is none.
const json::Value& field(const json::Value& object, std::string_view name);

std::string text_field(const json::Value& object, std::string_view name);
std::optional<std::int64_t> integer_field(const json::Value& object, std::string_view name);

// Limited to the range of the wire's int32.
std::optional<std::int32_t> int32_field(const json::Value& object, std::string_view name);
std::optional<Time> time_field(const json::Value& object, std::string_view name);
std::span<const json::Value> elements_field(const json::Value& object, std::string_view name);
std::vector<std::string> texts_field(const json::Value& object, std::string_view name);

// The string members of an object, sorted by name.
std::vector<Label> labels_field(const json::Value& object, std::string_view name);

// What every kind has in common and our logic reads.
struct ObjectFacts {
  std::string name = {};
  std::string object_namespace = {};
  std::string uid = {};
  std::string resource_version = {};
  std::int64_t generation = 0;
  std::vector<Label> labels = {};  // Sorted by key.
  std::vector<Label> annotations = {};
  bool is_deleting = false;  // Has a deletionTimestamp; finalizers may keep it for long.

  // The value, or "" where there is none.
  std::string_view label(std::string_view key) const;
  std::string_view annotation(std::string_view key) const;

  bool operator==(const ObjectFacts&) const = default;
};

ObjectFacts read_facts(const json::Value& object);

}  // namespace berth::api

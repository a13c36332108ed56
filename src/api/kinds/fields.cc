#include "api/kinds/fields.h"

#include <algorithm>
#include <limits>

#include "base/rfc3339.h"

namespace berth::api {

const json::Value& field(const json::Value& object, std::string_view name) {
  static const json::Value kNull;
  const json::Value* value = object.find(name);
  return value ? *value : kNull;
}

std::string text_field(const json::Value& object, std::string_view name) {
  return std::string(field(object, name).string_or_empty());
}

std::optional<std::int64_t> integer_field(const json::Value& object, std::string_view name) {
  return field(object, name).as_int();
}

std::optional<std::int32_t> int32_field(const json::Value& object, std::string_view name) {
  using Limits = std::numeric_limits<std::int32_t>;
  const auto number = integer_field(object, name);
  if (!number) return std::nullopt;
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(*number, Limits::min(), Limits::max()));
}

std::optional<Time> time_field(const json::Value& object, std::string_view name) {
  const auto text = field(object, name).as_string();
  if (!text) return std::nullopt;
  const auto time = parse_rfc3339(*text);
  return time.ok() ? std::optional(*time) : std::nullopt;
}

std::span<const json::Value> elements_field(const json::Value& object, std::string_view name) {
  return field(object, name).elements();
}

std::vector<std::string> texts_field(const json::Value& object, std::string_view name) {
  std::vector<std::string> texts;
  for (const json::Value& element : elements_field(object, name)) {
    if (const auto text = element.as_string()) texts.emplace_back(*text);
  }
  return texts;
}

std::vector<Label> labels_field(const json::Value& object, std::string_view name) {
  std::vector<Label> labels;
  for (const json::Member& member : field(object, name).members()) {
    if (const auto text = member.value.as_string()) {
      labels.push_back({.key = std::string(member.name()), .value = std::string(*text)});
    }
  }
  std::ranges::sort(labels, {}, &Label::key);
  return labels;
}

std::string_view ObjectFacts::label(std::string_view key) const {
  return Labels(labels).find(key).value_or("");
}

std::string_view ObjectFacts::annotation(std::string_view key) const {
  return Labels(annotations).find(key).value_or("");
}

ObjectFacts read_facts(const json::Value& object) {
  const json::Value& metadata = field(object, "metadata");
  return {.name = text_field(metadata, "name"),
          .object_namespace = text_field(metadata, "namespace"),
          .uid = text_field(metadata, "uid"),
          .resource_version = text_field(metadata, "resourceVersion"),
          .generation = integer_field(metadata, "generation").value_or(0),
          .labels = labels_field(metadata, "labels"),
          .annotations = labels_field(metadata, "annotations"),
          .is_deleting = !field(metadata, "deletionTimestamp").is_null()};
}

}  // namespace berth::api

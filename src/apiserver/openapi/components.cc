#include "apiserver/openapi/components.h"

#include <utility>
#include <vector>

#include "apiserver/openapi/descriptions.h"
#include "apiserver/openapi/parameters.h"

namespace berth::apiserver {
namespace {

using json::Value;

constexpr std::string_view kPrefix = "#/components/schemas/";

// The place of a built-in type as OpenAPI spells it. What stands beside a reference needs an allOf.
Value published_place(const Value& place) {
  const Value* reference = place.find("$ref");
  if (reference && place.size() == 1) return type_reference(reference->string_or_empty());
  Value result = Value::object();
  for (const auto& [key, value] : place.members()) {
    const std::string_view name = key.string_or_empty();
    if (name == "$ref") {
      result["allOf"] = Value::array({type_reference(value.string_or_empty())});
    } else if (name == "items" || name == "additionalProperties") {
      result[name] = published_place(value);
    } else if (name == "properties") {
      Value& properties = result["properties"] = Value::object();
      for (const auto& [field, inner] : value.members()) {
        properties.append_member(field.string_or_empty(), published_place(inner));
      }
    } else {
      result[name] = value;
    }
  }
  return result;
}

void describe(Value& place, std::string_view description) {
  if (description.empty()) return;
  // A reference with something beside it needs an allOf.
  if (const Value* reference = place.find("$ref")) {
    place = Value::object({{"allOf", Value::array({Value::object({{"$ref", *reference}})})}});
  }
  place["description"] = description;
}

Value published_type(std::string_view name, const Value& type) {
  Value schema = published_place(type);
  describe(schema, type_description(name));
  Value* properties = schema.find("properties");
  if (!properties) return schema;
  for (const auto& [field, place] : type.find("properties")->members()) {
    const std::string_view field_name = field.string_or_empty();
    describe(*properties->find(field_name), field_description(name, field_name));
  }
  return schema;
}

// The names of all types that the part refers to. The depth is that of our own documents, or of a
// schema that was accepted.
void find_references(const Value& part, std::vector<std::string>& names) {
  for (const Value& element : part.elements()) find_references(element, names);
  for (const auto& [key, value] : part.members()) {
    const bool is_reference = key.string_or_empty() == "$ref" && value.is_string();
    if (is_reference && value.string_or_empty().starts_with(kPrefix)) {
      names.emplace_back(value.string_or_empty().substr(kPrefix.size()));
    }
    find_references(value, names);
  }
}

}  // namespace

void Components::add(std::string name, Value schema) {
  collect(schema);
  schemas_.emplace(std::move(name), std::move(schema));
}

void Components::collect(const Value& part) {
  std::vector<std::string> names;
  find_references(part, names);
  while (!names.empty()) {
    const std::string name = std::move(names.back());
    names.pop_back();
    const Value* type = types_.find(name);
    if (!type || schemas_.contains(name)) continue;
    const Value& schema = schemas_.emplace(name, published_type(name, *type)).first->second;
    find_references(schema, names);
  }
}

Value Components::schemas() const {
  Value result = Value::object();
  for (const auto& [name, schema] : schemas_) result.append_member(name, schema);
  return result;
}

}  // namespace berth::apiserver

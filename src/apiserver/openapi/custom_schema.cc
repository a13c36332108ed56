#include "apiserver/openapi/custom_schema.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "apiserver/openapi/descriptions.h"
#include "apiserver/openapi/parameters.h"
#include "apiserver/openapi/type_names.h"

namespace berth::apiserver {
namespace {

using json::Value;

constexpr std::string_view kObjectMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
constexpr std::string_view kListMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta";

Value described_text(std::string_view field) {
  return Value::object({{"description", field_description("", field)}, {"type", "string"}});
}

Value described_reference(std::string_view field, std::string_view type_name) {
  return Value::object({{"description", field_description("", field)},
                        {"allOf", Value::array({type_reference(type_name)})}});
}

void add_metadata(Value& schema, std::string_view metadata_type) {
  Value& properties = schema["properties"];
  if (!properties.is_object()) properties = Value::object();
  properties["apiVersion"] = described_text("apiVersion");
  properties["kind"] = described_text("kind");
  properties["metadata"] = described_reference("metadata", metadata_type);
}

// An embedded object has to say what it is.
void add_required(Value& schema) {
  Value& required = schema["required"];
  for (const std::string_view name : {"kind", "apiVersion"}) {
    if (std::ranges::find(required.elements(), Value(name)) == required.elements().end()) {
      required.push_back(name);
    }
  }
}

bool is_true(const Value& schema, std::string_view name) {
  const Value* value = schema.find(name);
  return value && value->as_bool() == true;
}

// What clients should know of embedded objects, everywhere in the schema. Definitions are checked
// before they are served, so their depth is bounded.
void complete(Value& schema) {
  if (!schema.is_object()) return;
  if (is_true(schema, "x-kubernetes-int-or-string") && !schema.find("anyOf")) {
    schema["anyOf"] =
        Value::array({Value::object({{"type", "integer"}}), Value::object({{"type", "string"}})});
  }
  if (is_true(schema, "x-kubernetes-embedded-resource")) {
    add_metadata(schema, kObjectMeta);
    add_required(schema);
  }
  for (const std::string_view name : {"items", "additionalProperties"}) {
    if (Value* inner = schema.find(name)) complete(*inner);
  }
  if (Value* properties = schema.find("properties")) {
    for (const auto& [name, ignored] : Value(*properties).members()) {
      complete(*properties->find(name.string_or_empty()));
    }
  }
}

void add_kind(Value& schema, const Resource& resource, const std::string& kind) {
  schema["x-kubernetes-group-version-kind"] = Value::array({Value::object(
      {{"group", resource.gvr.group}, {"kind", kind}, {"version", resource.gvr.version}})});
}

}  // namespace

Value published_object(const Resource& resource, const Value* raw) {
  Value schema = raw ? *raw : Value::object();
  complete(schema);
  schema["type"] = "object";
  add_metadata(schema, kObjectMeta);
  add_kind(schema, resource, resource.kind);
  return schema;
}

Value published_list(const Resource& resource) {
  const std::string type = custom_type_name(
      {.group = resource.gvr.group, .version = resource.gvr.version, .kind = resource.kind});
  Value schema = Value::object(
      {{"description", resource.list_kind + " is a list of " + resource.kind + " objects."},
       {"type", "object"},
       {"required", Value::array({"items"})}});
  add_metadata(schema, kListMeta);
  schema["properties"]["items"] = Value::object(
      {{"description", "The objects."}, {"type", "array"}, {"items", type_reference(type)}});
  add_kind(schema, resource, resource.list_kind);
  return schema;
}

}  // namespace berth::apiserver

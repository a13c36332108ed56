#include "apiserver/apply/testing/schema_reader.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/check.h"
#include "json/parse.h"
#include "json/text_of.h"

namespace berth::apiserver::testing {
namespace {

using json::Value;

bool truth_at(const Value& schema, std::string_view name) {
  const Value* value = schema.find(name);
  return value && value->as_bool().value_or(false);
}

std::vector<std::string> texts_at(const Value& schema, std::string_view name) {
  std::vector<std::string> texts;
  if (const Value* list = schema.find(name)) {
    for (const Value& text : list->elements()) texts.emplace_back(text.string_or_empty());
  }
  return texts;
}

Form form_of(const Value& schema) {
  const std::string_view type = text_of(schema, "type");
  if (truth_at(schema, "x-kubernetes-int-or-string")) return Form::IntOrString;
  if (type == "object") return Form::Object;
  if (type == "array") return Form::Array;
  if (type == "string") return Form::String;
  if (type == "integer") return Form::Integer;
  if (type == "number") return Form::Number;
  if (type == "boolean") return Form::Boolean;
  return Form::Any;
}

ListKind list_kind_of(const Value& schema) {
  const std::string_view kind = text_of(schema, "x-kubernetes-list-type");
  if (kind == "set") return ListKind::Set;
  return kind == "map" ? ListKind::Map : ListKind::Atomic;
}

const Schema& read_node(SchemaSet& nodes, const Value& json) {
  Schema& schema = nodes.add();
  schema.form = form_of(json);
  schema.keeps_unknown = truth_at(json, "x-kubernetes-preserve-unknown-fields");
  schema.is_embedded_resource = truth_at(json, "x-kubernetes-embedded-resource");
  schema.is_nullable = truth_at(json, "nullable");
  schema.type_name = text_of(json, "x-type-name");
  schema.format = text_of(json, "format");
  schema.list_kind = list_kind_of(json);
  schema.list_keys = texts_at(json, "x-kubernetes-list-map-keys");
  schema.required = texts_at(json, "required");
  std::ranges::sort(schema.required);
  const bool is_whole = text_of(json, "x-kubernetes-map-type") == "atomic";
  schema.map_kind = is_whole ? MapKind::Atomic : MapKind::Granular;
  if (const Value* value = json.find("default")) schema.default_value = *value;
  if (const Value* items = json.find("items")) schema.items = &read_node(nodes, *items);
  if (const Value* values = json.find("additionalProperties")) {
    schema.additional = &read_node(nodes, *values);
  }
  if (const Value* properties = json.find("properties")) {
    for (const json::Member& member : properties->members()) {
      const std::string_view strategy = text_of(member.value, "x-kubernetes-patch-strategy");
      schema.fields.push_back(
          {.name = std::string(member.name()),
           .schema = &read_node(nodes, member.value),
           .patch_strategy = strategy == "merge"     ? json::PatchStrategy::Merge
                             : strategy == "replace" ? json::PatchStrategy::Replace
                                                     : json::PatchStrategy::Default,
           .patch_merge_key = std::string(text_of(member.value, "x-kubernetes-patch-merge-key"))});
    }
  }
  std::ranges::sort(schema.fields, {}, &Field::name);
  return schema;
}

}  // namespace

ReadSchema read_schema(const Value& schema) {
  auto nodes = std::make_shared<SchemaSet>();
  const Schema& root = read_node(*nodes, schema);
  return {std::move(nodes), &root};
}

ReadSchema parse_schema(std::string_view json) {
  const auto value = json::parse(json);
  CHECK(value.ok());
  return read_schema(*value);
}

}  // namespace berth::apiserver::testing

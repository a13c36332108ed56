#include "apiserver/schema/builtin_types.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "base/check.h"
#include "json/text_of.h"

namespace berth::apiserver {
namespace {

using json::Value;

constexpr std::string_view kIntOrString = "io.k8s.apimachinery.pkg.util.intstr.IntOrString";

std::vector<std::string> texts_of(const Value& schema, std::string_view name) {
  std::vector<std::string> texts;
  if (const Value* list = schema.find(name)) {
    for (const Value& text : list->elements()) texts.emplace_back(text.string_or_empty());
  }
  return texts;
}

Form form_of(std::string_view type) {
  if (type == "object") return Form::Object;
  if (type == "array") return Form::Array;
  if (type == "string") return Form::String;
  if (type == "integer") return Form::Integer;
  if (type == "number") return Form::Number;
  if (type == "boolean") return Form::Boolean;
  CHECK(type.empty());
  return Form::Any;
}

ListKind list_kind_of(std::string_view type) {
  if (type == "set") return ListKind::Set;
  if (type == "map") return ListKind::Map;
  CHECK(type.empty() || type == "atomic");
  return ListKind::Atomic;
}

// "retainKeys" is no strategy of the server: it shows in the patch itself.
json::PatchStrategy strategy_of(std::string_view text) {
  if (text.starts_with("merge")) return json::PatchStrategy::Merge;
  return text == "replace" ? json::PatchStrategy::Replace : json::PatchStrategy::Default;
}

}  // namespace

class BuiltinTypes::Builder {
 public:
  Builder(BuiltinTypes& types, SchemaSet& set) : types_(types), set_(set) {}

  void build(const Value& table) {
    // All names first: types refer to each other in circles.
    for (const auto& [name, schema] : table.members()) {
      Schema& node = set_.add();
      node.type_name = name.string_or_empty();
      nodes_.emplace(node.type_name, &node);
    }
    for (const auto& [name, schema] : table.members()) fill_type(name.string_or_empty(), schema);
    for (const Variant& variant : variants_) {
      *variant.node = *variant.original;
      variant.node->map_kind = variant.map_kind;
    }
    for (const auto& [name, node] : nodes_) types_.types_.emplace(name, node);
  }

 private:
  // A reference that says something else of the type: claimRef is the one ObjectReference whose
  // members are owned one by one.
  struct Variant {
    Schema* node;
    const Schema* original;
    MapKind map_kind;
  };

  void fill_type(std::string_view name, const Value& schema) {
    Schema& node = *nodes_.find(name)->second;
    fill(node, schema);
    if (name == kIntOrString) node.form = Form::IntOrString;
    const bool has_members = !node.fields.empty() || node.additional;
    node.keeps_unknown = node.form == Form::Any || (node.form == Form::Object && !has_members);
    const Value* kinds = schema.find("x-kubernetes-group-version-kind");
    if (!kinds) return;
    for (const Value& kind : kinds->elements()) {
      types_.kinds_.emplace(api::Gvk{.group = std::string(text_of(kind, "group")),
                                     .version = std::string(text_of(kind, "version")),
                                     .kind = std::string(text_of(kind, "kind"))},
                            &node);
    }
  }

  void fill(Schema& node, const Value& schema) {
    node.form = form_of(text_of(schema, "type"));
    node.format = text_of(schema, "format");
    node.required = texts_of(schema, "required");
    std::ranges::sort(node.required);
    node.list_kind = list_kind_of(text_of(schema, "x-kubernetes-list-type"));
    node.list_keys = texts_of(schema, "x-kubernetes-list-map-keys");
    node.map_kind =
        text_of(schema, "x-kubernetes-map-type") == "atomic" ? MapKind::Atomic : MapKind::Granular;
    // By which elements of lists may be told apart: a port is one of TCP, unless it says otherwise.
    const std::string_view standard = text_of(schema, "default");
    if (!standard.empty()) node.default_value = Value(standard);
    if (const Value* items = schema.find("items")) node.items = at_place(*items);
    if (const Value* values = schema.find("additionalProperties")) {
      node.additional = at_place(*values);
    }
    if (const Value* properties = schema.find("properties")) fill_fields(node, *properties);
  }

  void fill_fields(Schema& node, const Value& properties) {
    node.fields.reserve(properties.size());
    for (const auto& [name, schema] : properties.members()) {
      node.fields.push_back(
          {.name = std::string(name.string_or_empty()),
           .schema = at_place(schema),
           .patch_strategy = strategy_of(text_of(schema, "x-kubernetes-patch-strategy")),
           .patch_merge_key = std::string(text_of(schema, "x-kubernetes-patch-merge-key"))});
    }
    std::ranges::sort(node.fields, {}, &Field::name);
  }

  // The node for a field, an element or a map's value.
  const Schema* at_place(const Value& schema) {
    const std::string_view reference = text_of(schema, "$ref");
    if (!reference.empty()) return referred(schema, reference);
    const std::string_view type = text_of(schema, "type");
    if (type == "object" || type == "array") return filled(schema);
    // Texts and numbers differ in nothing else, so one node serves many places.
    const Schema*& node = plain_[{std::string(type), std::string(text_of(schema, "format")),
                                  std::string(text_of(schema, "default"))}];
    if (!node) node = filled(schema);
    return node;
  }

  const Schema* filled(const Value& schema) {
    Schema& node = set_.add();
    fill(node, schema);
    return &node;
  }

  const Schema* referred(const Value& schema, std::string_view reference) {
    const auto found = nodes_.find(reference);
    CHECK(found != nodes_.end());
    const std::string_view map_type = text_of(schema, "x-kubernetes-map-type");
    if (map_type.empty()) return found->second;
    Schema& node = set_.add();
    variants_.push_back({.node = &node,
                         .original = found->second,
                         .map_kind = map_type == "atomic" ? MapKind::Atomic : MapKind::Granular});
    return &node;
  }

  BuiltinTypes& types_;
  SchemaSet& set_;
  std::map<std::string, Schema*, std::less<>> nodes_;
  // By type, format and default.
  std::map<std::tuple<std::string, std::string, std::string>, const Schema*> plain_;
  std::vector<Variant> variants_;
};

BuiltinTypes::BuiltinTypes(const Value& types) {
  const auto set = std::make_shared<SchemaSet>();
  Builder(*this, *set).build(types);
  schemas_ = set;
}

const Schema* BuiltinTypes::find(std::string_view type_name) const {
  const auto found = types_.find(type_name);
  return found == types_.end() ? nullptr : found->second;
}

const Schema* BuiltinTypes::find_kind(const api::Gvk& kind) const {
  const auto found = kinds_.find(kind);
  return found == kinds_.end() ? nullptr : found->second;
}

}  // namespace berth::apiserver

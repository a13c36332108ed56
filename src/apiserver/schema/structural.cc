#include "apiserver/schema/structural.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "api/expressions/rules.h"
#include "api/kinds/fields.h"
#include "apiserver/schema/constraints.h"
#include "apiserver/schema/field_errors.h"
#include "apiserver/schema/rules.h"

namespace berth::apiserver {
namespace {

using api::field;
using json::Value;

enum class Role { Root, Part, ValueValidation };

struct Place {
  std::string path;
  Role role = Role::Part;
  // The outermost schema around this one whose parts cannot be told apart between two versions of
  // an object; empty: none.
  std::string uncorrelatable = {};
};

bool flag(const Value& schema, std::string_view name) {
  return field(schema, name).as_bool().value_or(false);
}

std::optional<std::int64_t> count(const Value& schema, std::string_view name) {
  return field(schema, name).as_int();
}

std::optional<Bound> bound(const Value& schema, std::string_view name, std::string_view exclusive) {
  const auto value = field(schema, name).as_double();
  if (!value) return std::nullopt;
  return Bound{.value = *value, .is_exclusive = flag(schema, exclusive)};
}

class Builder {
 public:
  Builder(SchemaSet& nodes, const StructuralOptions& options) : nodes_(nodes), options_(options) {}

  Schema& build(const Value& schema, const Place& place);
  std::vector<Cause> take_problems() { return std::move(problems_); }

 private:
  void add_fields(Schema& node, const Value& schema, const Place& place);
  void add_additional(Schema& node, const Value& schema, const Place& place);
  void add_items(Schema& node, const Value& schema, const Place& place);
  void add_list_kind(Schema& node, const Value& schema);
  void add_resource_fields(Schema& node);
  const Schema* metadata_with(const Schema* own);
  Constraints constraints_of(const Schema& node, const Value& schema, const Place& place);
  std::vector<const Schema*> alternatives(const Value& schema, std::string_view name,
                                          const Place& place);
  void add_rules(Constraints& constraints, const Schema& node, const Value& schema,
                 const Place& place);
  const Schema* text_node();

  SchemaSet& nodes_;
  const StructuralOptions& options_;
  std::vector<Cause> problems_;
  const Schema* text_ = nullptr;
  std::shared_ptr<const cel::Environment> libraries_;  // Made when there is a rule.
};

// Parts come before the whole, so that everything about them is known when the rules are read.
Schema& Builder::build(const Value& schema, const Place& place) {
  Schema node;
  node.form = flag(schema, "x-kubernetes-int-or-string")
                  ? Form::IntOrString
                  : form_of_type(api::text_field(schema, "type"));
  node.is_nullable = flag(schema, "nullable");
  node.keeps_unknown = flag(schema, "x-kubernetes-preserve-unknown-fields");
  node.is_embedded_resource = flag(schema, "x-kubernetes-embedded-resource");
  node.format = api::text_field(schema, "format");
  if (const Value* value = schema.find("default"); value && !value->is_null()) {
    node.default_value = *value;
  }
  if (api::text_field(schema, "x-kubernetes-map-type") == "atomic") node.map_kind = MapKind::Atomic;
  add_fields(node, schema, place);
  add_additional(node, schema, place);
  add_items(node, schema, place);
  if (place.role == Role::Root || node.is_embedded_resource) add_resource_fields(node);

  Constraints constraints = constraints_of(node, schema, place);
  add_rules(constraints, node, schema, place);
  node.constraints = std::make_shared<const Constraints>(std::move(constraints));
  Schema& kept = nodes_.add();
  kept = std::move(node);
  return kept;
}

void Builder::add_fields(Schema& node, const Value& schema, const Place& place) {
  const std::string path = child(place.path, "properties");
  for (const json::Member& member : field(schema, "properties").members()) {
    const Schema& part =
        build(member.value, {.path = keyed(path, member.name()),
                             .role = place.role == Role::Root ? Role::Part : place.role,
                             .uncorrelatable = place.uncorrelatable});
    node.fields.push_back({.name = std::string(member.name()), .schema = &part});
  }
  std::ranges::sort(node.fields, {}, &Field::name);
  node.required = api::texts_field(schema, "required");
  std::ranges::sort(node.required);
  const auto repeated = std::ranges::unique(node.required);
  node.required.erase(repeated.begin(), repeated.end());
}

void Builder::add_additional(Schema& node, const Value& schema, const Place& place) {
  const Value& additional = field(schema, "additionalProperties");
  if (additional.is_object()) {
    node.additional =
        &build(additional, {.path = child(place.path, "additionalProperties"),
                            .role = place.role == Role::Root ? Role::Part : place.role,
                            .uncorrelatable = place.uncorrelatable});
  } else if (additional.is_boolean()) {
    Schema& any = nodes_.add();  // Of whose values pruning leaves the scalars.
    any.is_nullable = true;
    node.additional = &any;
  }
}

void Builder::add_items(Schema& node, const Value& schema, const Place& place) {
  add_list_kind(node, schema);
  const Value& items = field(schema, "items");
  if (!items.is_object()) return;
  Place inner{.path = child(place.path, "items"),
              .role = place.role == Role::Root ? Role::Part : place.role,
              .uncorrelatable = place.uncorrelatable};
  if (inner.uncorrelatable.empty() && node.list_kind != ListKind::Map) {
    inner.uncorrelatable = place.path;
  }
  node.items = &build(items, inner);
}

void Builder::add_list_kind(Schema& node, const Value& schema) {
  const std::string kind = api::text_field(schema, "x-kubernetes-list-type");
  if (kind == "set") node.list_kind = ListKind::Set;
  if (kind == "map") {
    node.list_kind = ListKind::Map;
    node.list_keys = api::texts_field(schema, "x-kubernetes-list-map-keys");
  }
}

const Schema* Builder::text_node() {
  if (!text_) {
    Schema& node = nodes_.add();
    node.form = Form::String;
    text_ = &node;
  }
  return text_;
}

void Builder::add_resource_fields(Schema& node) {
  const auto set = [&node](std::string_view name, const Schema* schema) {
    const auto at = std::ranges::lower_bound(node.fields, name, {}, &Field::name);
    if (at != node.fields.end() && at->name == name) {
      at->schema = schema;
    } else {
      node.fields.insert(at, {.name = std::string(name), .schema = schema});
    }
  };
  if (!node.find("apiVersion")) set("apiVersion", text_node());
  if (!node.find("kind")) set("kind", text_node());
  const Field* metadata = node.find("metadata");
  set("metadata", metadata_with(metadata ? metadata->schema : nullptr));
}

// ObjectMeta, with what the definition itself says about some of its fields.
const Schema* Builder::metadata_with(const Schema* own) {
  if (options_.object_meta && (!own || own->fields.empty())) return options_.object_meta;
  Schema& merged = nodes_.add();
  if (options_.object_meta) {
    merged = *options_.object_meta;
  } else {
    merged.form = Form::Object;
    merged.keeps_unknown = true;
  }
  if (!own) return &merged;
  merged.constraints = own->constraints;
  for (const Field& it : own->fields) {
    const auto at = std::ranges::lower_bound(merged.fields, it.name, {}, &Field::name);
    if (at != merged.fields.end() && at->name == it.name) {
      at->schema = it.schema;
    } else if (!options_.object_meta) {
      merged.fields.insert(at, it);
    }
  }
  return &merged;
}

std::vector<const Schema*> Builder::alternatives(const Value& schema, std::string_view name,
                                                 const Place& place) {
  std::vector<const Schema*> nodes;
  for (const Value& alternative : field(schema, name).elements()) {
    nodes.push_back(&build(alternative, {.path = indexed(child(place.path, name), nodes.size()),
                                         .role = Role::ValueValidation}));
  }
  return nodes;
}

Constraints Builder::constraints_of(const Schema& node, const Value& schema, const Place& place) {
  Constraints result;
  for (const Value& value : field(schema, "enum").elements()) result.allowed.push_back(value);
  if (const std::string pattern = api::text_field(schema, "pattern"); !pattern.empty()) {
    result.pattern = std::make_shared<const Pattern>(pattern);
  }
  result.format = find_format(node.format);
  result.minimum = bound(schema, "minimum", "exclusiveMinimum");
  result.maximum = bound(schema, "maximum", "exclusiveMaximum");
  result.multiple_of = field(schema, "multipleOf").as_double();
  result.length_min = count(schema, "minLength");
  result.length_max = count(schema, "maxLength");
  result.items_min = count(schema, "minItems");
  result.items_max = count(schema, "maxItems");
  result.properties_min = count(schema, "minProperties");
  result.properties_max = count(schema, "maxProperties");
  result.required = api::texts_field(schema, "required");
  result.is_closed = field(schema, "additionalProperties").as_bool() == false;
  result.all_of = alternatives(schema, "allOf", place);
  result.any_of = alternatives(schema, "anyOf", place);
  result.one_of = alternatives(schema, "oneOf", place);
  if (const Value& excluded = field(schema, "not"); excluded.is_object()) {
    result.none_of =
        &build(excluded, {.path = child(place.path, "not"), .role = Role::ValueValidation});
  }
  return result;
}

bool has_rules(const Schema* part) {
  return part && part->constraints && part->constraints->has_rules_below;
}

void Builder::add_rules(Constraints& constraints, const Schema& node, const Value& schema,
                        const Place& place) {
  constraints.has_rules_below =
      has_rules(node.items) || has_rules(node.additional) ||
      std::ranges::any_of(node.fields, [](const Field& it) { return has_rules(it.schema); });
  if (place.role == Role::ValueValidation) return;
  const std::vector<RuleText> texts = read_rules(field(schema, "x-kubernetes-validations"));
  if (texts.empty()) return;
  if (!libraries_) libraries_ = api::rule_libraries();
  const bool is_resource = place.role == Role::Root || node.is_embedded_resource;
  RuleCompilation compiled =
      compile_rules(node, texts,
                    {.path = child(place.path, "x-kubernetes-validations"),
                     .uncorrelatable = place.uncorrelatable,
                     .scope = is_resource ? RuleScope::Resource : RuleScope::Part,
                     .libraries = libraries_});
  constraints.rules = std::move(compiled.rules);
  constraints.has_rules_below = true;
  for (Cause& problem : compiled.problems) problems_.push_back(std::move(problem));
}

}  // namespace

Form form_of_type(std::string_view type) {
  constexpr std::pair<std::string_view, Form> kForms[] = {
      {"object", Form::Object},   {"array", Form::Array},   {"string", Form::String},
      {"integer", Form::Integer}, {"number", Form::Number}, {"boolean", Form::Boolean}};
  for (const auto& [name, form] : kForms) {
    if (name == type) return form;
  }
  return Form::Any;
}

StructuralSchema build_structural(SchemaSet& nodes, const Value& openapi,
                                  const StructuralOptions& options) {
  Builder builder(nodes, options);
  StructuralSchema result;
  result.root = &builder.build(openapi, {.path = options.path, .role = Role::Root});
  result.rule_problems = builder.take_problems();
  return result;
}

}  // namespace berth::apiserver

#include "apiserver/schema/openapi_check.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "api/kinds/fields.h"
#include "apiserver/schema/constraints.h"
#include "apiserver/schema/field_errors.h"
#include "apiserver/schema/rules.h"
#include "apiserver/schema/structural.h"
#include "base/strings.h"

namespace berth::apiserver {
namespace {

using api::field;
using api::text_field;
using json::Value;

struct Place {
  std::string path;
  bool is_root = false;
  bool is_in_metadata = false;        // Of the object or of an embedded resource.
  std::string defaults_refused = {};  // Why; empty: they are allowed.

  Place at(std::string inner) const {
    return {.path = std::move(inner),
            .is_in_metadata = is_in_metadata,
            .defaults_refused = defaults_refused};
  }
};

bool is_true(const Value& schema, std::string_view name) {
  return field(schema, name).as_bool().value_or(false);
}

class Checker {
 public:
  void check(const Value& schema, const Place& place);
  std::vector<Cause> take_causes() { return std::move(causes_); }

 private:
  void check_keywords(const Value& schema, const Place& place);
  void check_unsupported(const Value& schema, const Place& place);
  void check_properties(const Value& schema, const Place& place);
  void check_alternatives(const Value& schema, const Place& place);
  void check_map_type(const Value& schema, const std::string& path);
  void check_list_type(const Value& schema, const std::string& path);
  void check_set_items(const Value& items, const std::string& path);
  void check_map_keys(const Value& schema, const std::string& path);
  void check_map_items(const Value& schema, const std::string& path);
  void check_key_values(const Value& schema, const std::string& path, std::string_view type);
  void check_rules(const Value& schema, const std::string& path);
  void check_rule(const RuleText& rule, const std::string& path);
  void add(Cause cause) { causes_.push_back(std::move(cause)); }

  std::vector<Cause> causes_;
};

void Checker::check(const Value& schema, const Place& place) {
  check_keywords(schema, place);
  if (is_true(schema, "uniqueItems")) {
    add(forbidden(child(place.path, "uniqueItems"),
                  "uniqueItems cannot be set to true since the runtime complexity becomes "
                  "quadratic"));
  }
  check_properties(schema, place);
  check_alternatives(schema, place);
  if (const Value& items = field(schema, "items"); items.is_object()) {
    check(items, place.at(child(place.path, "items")));
  }
  if (field(schema, "x-kubernetes-preserve-unknown-fields").as_bool() == false) {
    add(invalid(child(place.path, "x-kubernetes-preserve-unknown-fields"), Value(false),
                "must be true or undefined"));
  }
  check_map_type(schema, place.path);
  check_list_type(schema, place.path);
  check_map_keys(schema, place.path);
  check_map_items(schema, place.path);
  check_rules(schema, place.path);
}

void Checker::check_keywords(const Value& schema, const Place& place) {
  const std::string type = text_field(schema, "type");
  if (!type.empty() && form_of_type(type) == Form::Any) {
    const std::array<std::string, 6> kTypes = {"array",  "boolean", "integer",
                                               "number", "object",  "string"};
    add(not_supported(child(place.path, "type"), Value(type), kTypes));
  }
  if (!field(schema, "default").is_null() && !place.defaults_refused.empty()) {
    add(forbidden(child(place.path, "default"), "must not be set " + place.defaults_refused));
  }
  check_unsupported(schema, place);
  if (type == "null") {
    add(forbidden(child(place.path, "type"),
                  "type cannot be set to null, use nullable as an alternative"));
  }
  if (field(schema, "items").is_array()) {
    add(forbidden(child(place.path, "items"), "items must be a schema object and not an array"));
  }
  if (place.is_in_metadata && is_true(schema, "x-kubernetes-embedded-resource")) {
    add(forbidden(child(place.path, "x-kubernetes-embedded-resource"),
                  "must not be used inside of resource meta"));
  }
}

void Checker::check_unsupported(const Value& schema, const Place& place) {
  for (const std::string_view name :
       {"id", "additionalItems", "patternProperties", "definitions", "dependencies", "$ref"}) {
    const Value& value = field(schema, name);
    const bool is_empty =
        value.is_null() || (value.is_object() && value.size() == 0) || value == Value("");
    if (!is_empty) {
      add(forbidden(child(place.path, name), std::string(name) + " is not supported"));
    }
  }
}

void Checker::check_properties(const Value& schema, const Place& place) {
  const Value& properties = field(schema, "properties");
  if (const Value& additional = field(schema, "additionalProperties"); !additional.is_null()) {
    const std::string path = child(place.path, "additionalProperties");
    if (properties.size() > 0 && additional != Value(true)) {
      add(forbidden(path, "additionalProperties and properties are mutual exclusive"));
    }
    if (additional.is_object()) {
      Place inner = place.at(path);
      if (place.is_in_metadata) {
        inner.defaults_refused = "inside additionalProperties applying to object metadata";
      }
      check(additional, inner);
    }
  }
  const bool is_resource = place.is_root || is_true(schema, "x-kubernetes-embedded-resource");
  const std::string path = child(place.path, "properties");
  for (const json::Member& member : properties.members()) {
    Place inner = place.at(keyed(path, member.name()));
    const std::string_view name = member.name();
    if (is_resource && (name == "metadata" || name == "kind" || name == "apiVersion")) {
      inner.is_in_metadata = true;
      if (place.is_root) inner.defaults_refused = "in top-level " + std::string(name);
    }
    check(member.value, inner);
  }
}

void Checker::check_alternatives(const Value& schema, const Place& place) {
  if (const Value& it = field(schema, "not"); it.is_object()) {
    check(it, place.at(child(place.path, "not")));
  }
  for (const std::string_view name : {"allOf", "oneOf", "anyOf"}) {
    std::size_t index = 0;
    for (const Value& it : field(schema, name).elements()) {
      check(it, place.at(indexed(child(place.path, name), index++)));
    }
  }
}

void Checker::check_map_type(const Value& schema, const std::string& path) {
  const Value& map_type = field(schema, "x-kubernetes-map-type");
  if (map_type.is_null()) return;
  const std::string type = text_field(schema, "type");
  constexpr std::string_view kWhy = "must be object if x-kubernetes-map-type is specified";
  if (type.empty()) {
    add(required(child(path, "type"), kWhy));
  } else if (type != "object") {
    add(invalid(child(path, "type"), Value(type), kWhy));
  }
  if (map_type != Value("atomic") && map_type != Value("granular")) {
    const std::array<std::string, 2> kSupported = {"atomic", "granular"};
    add(not_supported(child(path, "x-kubernetes-map-type"), map_type, kSupported));
  }
}

void Checker::check_list_type(const Value& schema, const std::string& path) {
  const Value& list_type = field(schema, "x-kubernetes-list-type");
  if (list_type.is_null()) return;
  const std::string type = text_field(schema, "type");
  constexpr std::string_view kWhy = "must be array if x-kubernetes-list-type is specified";
  if (type.empty()) {
    add(required(child(path, "type"), kWhy));
  } else if (type != "array") {
    add(invalid(child(path, "type"), Value(type), kWhy));
  } else if (list_type == Value("set")) {
    check_set_items(field(schema, "items"), child(path, "items"));
  }
  if (list_type != Value("atomic") && list_type != Value("set") && list_type != Value("map")) {
    const std::array<std::string, 3> kSupported = {"atomic", "set", "map"};
    add(not_supported(child(path, "x-kubernetes-list-type"), list_type, kSupported));
  }
}

// The elements of a set are compared whole, so nobody may own a part of one.
void Checker::check_set_items(const Value& items, const std::string& path) {
  constexpr std::string_view kWhy =
      "must be atomic as item of a list with x-kubernetes-list-type=set";
  const Value& list_type = field(items, "x-kubernetes-list-type");
  if (text_field(items, "type") == "array" && !list_type.is_null() &&
      list_type != Value("atomic")) {
    add(invalid(child(path, "x-kubernetes-list-type"), list_type, kWhy));
  }
  if (text_field(items, "type") == "object" &&
      field(items, "x-kubernetes-map-type") != Value("atomic")) {
    add(invalid(child(path, "x-kubernetes-map-type"), list_type, kWhy));
  }
}

void Checker::check_map_keys(const Value& schema, const std::string& path) {
  const Value& keys = field(schema, "x-kubernetes-list-map-keys");
  const Value& list_type = field(schema, "x-kubernetes-list-type");
  if (keys.size() > 0 && list_type != Value("map")) {
    const std::string at = child(path, "x-kubernetes-list-type");
    constexpr std::string_view kWhy = "must be map if x-kubernetes-list-map-keys is non-empty";
    add(list_type.is_null() ? required(at, kWhy) : invalid(at, list_type, kWhy));
  }
  if (list_type != Value("map")) return;
  if (keys.size() == 0) {
    add(required(child(path, "x-kubernetes-list-map-keys"),
                 "must not be empty if x-kubernetes-list-type is map"));
  }
  const Value& items = field(schema, "items");
  if (!items.is_object()) {
    add(required(child(path, "items"), "must have a schema if x-kubernetes-list-type is map"));
  } else if (text_field(items, "type") != "object") {
    add(invalid(child(path, "items.type"), Value(text_field(items, "type")),
                "must be object if parent array's x-kubernetes-list-type is map"));
  } else {
    check_key_values(schema, path, "object");
  }
}

void Checker::check_key_values(const Value& schema, const std::string& path,
                               std::string_view type) {
  const Value& keys = field(schema, "x-kubernetes-list-map-keys");
  const Value& properties = field(field(schema, "items"), "properties");
  std::vector<std::string_view> seen;
  for (const Value& key : keys.elements()) {
    const std::string_view name = key.string_or_empty();
    const Value* property = properties.find(name);
    if (!property) {
      add(invalid(child(path, "x-kubernetes-list-map-keys"), keys,
                  "entries must all be names of item properties"));
    } else if (const std::string own = text_field(*property, "type");
               own == "array" || own == "object") {
      add(invalid(child(keyed(child(path, "items.properties"), name), "type"), Value(type),
                  "must be a scalar type if parent array's x-kubernetes-list-type is map"));
    }
    if (std::ranges::find(seen, name) != seen.end()) {
      add(invalid(child(path, "x-kubernetes-list-map-keys"), keys,
                  "must not contain duplicate entries"));
    }
    seen.push_back(name);
  }
}

void Checker::check_map_items(const Value& schema, const std::string& path) {
  const std::string list_type = text_field(schema, "x-kubernetes-list-type");
  const Value& items = field(schema, "items");
  if (!items.is_object() || (list_type != "set" && list_type != "map")) return;
  if (is_true(items, "nullable")) {
    add(forbidden(child(path, "items.nullable"),
                  "cannot be nullable when x-kubernetes-list-type is " + list_type));
  }
  if (list_type == "set") return;
  const auto required_names = api::texts_field(items, "required");
  for (const std::string& key : api::texts_field(schema, "x-kubernetes-list-map-keys")) {
    const Value* property = field(items, "properties").find(key);
    if (!property) continue;
    const std::string at = keyed(child(path, "items.properties"), key);
    const bool is_required = std::ranges::find(required_names, key) != required_names.end();
    if (!is_required && field(*property, "default").is_null()) {
      add(required(child(at, "default"),
                   "this property is in x-kubernetes-list-map-keys, so it must have a default or "
                   "be a required property"));
    }
    if (is_true(*property, "nullable")) {
      add(forbidden(child(at, "nullable"),
                    "this property is in x-kubernetes-list-map-keys, so it cannot be nullable"));
    }
  }
}

void Checker::check_rules(const Value& schema, const std::string& path) {
  std::size_t index = 0;
  for (const RuleText& rule : read_rules(field(schema, "x-kubernetes-validations"))) {
    check_rule(rule, indexed(child(path, "x-kubernetes-validations"), index++));
  }
}

bool has_line_break(std::string_view text) {
  return text.find_first_of("\n\r") != std::string_view::npos;
}

void Checker::check_rule(const RuleText& rule, const std::string& path) {
  const std::string_view message = trim(rule.message);
  if (trim(rule.rule).empty()) {
    add(required(child(path, "rule"), "rule is not specified"));
  } else if (!rule.message.empty() && message.empty()) {
    add(invalid(child(path, "message"), Value(rule.message), "must be non-empty if specified"));
  } else if (has_line_break(message)) {
    add(invalid(child(path, "message"), Value(rule.message), "must not contain line breaks"));
  } else if (has_line_break(trim(rule.rule)) && message.empty()) {
    add(required(child(path, "message"), "message must be specified if rule contains line breaks"));
  }
  if (!rule.message_expression.empty() && trim(rule.message_expression).empty()) {
    add(required(child(path, "messageExpression"),
                 "messageExpression must be non-empty if specified"));
  }
  const std::array<std::string, 4> kReasons = {"FieldValueDuplicate", "FieldValueForbidden",
                                               "FieldValueInvalid", "FieldValueRequired"};
  if (!rule.reason.empty() && std::ranges::find(kReasons, rule.reason) == kReasons.end()) {
    add(not_supported(child(path, "reason"), Value(rule.reason), kReasons));
  }
  if (rule.field_path.empty()) return;
  const std::string at = child(path, "fieldPath");
  if (trim(rule.field_path).empty()) {
    add(invalid(at, Value(rule.field_path), "must be non-empty if specified"));
  }
  if (has_line_break(rule.field_path)) {
    add(invalid(at, Value(rule.field_path), "must not contain line breaks"));
  }
}

}  // namespace

std::vector<Cause> check_openapi(const Value& schema, const std::string& path) {
  Checker checker;
  checker.check(schema, {.path = path, .is_root = true});
  return checker.take_causes();
}

}  // namespace berth::apiserver

#include "apiserver/schema/structural_check.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "api/kinds/fields.h"
#include "apiserver/schema/constraints.h"
#include "apiserver/schema/field_errors.h"
#include "cel/regex.h"

namespace berth::apiserver {
namespace {

using api::field;
using api::text_field;
using json::Value;

enum class Level { Root, Item, Field };

bool is_true(const Value& schema, std::string_view name) {
  return field(schema, name).as_bool().value_or(false);
}

// anyOf: [{type: integer}, {type: string}]
bool is_int_or_string(const Value& alternatives) {
  const Value kPattern =
      Value::array({Value::object({{"type", "integer"}}), Value::object({{"type", "string"}})});
  return alternatives == kPattern;
}

class Checker {
 public:
  void check(const Value& schema, Level level, const std::string& path);

  struct Places {
    std::string structure;
    std::string validation;
  };
  void check_complete(const Value& validation, const Value& structure, const Places& places);
  std::vector<Cause> take_causes();

 private:
  enum class Alternatives { Checked, IntOrString };

  void check_type(const Value& schema, Level level, const std::string& path);
  void check_extensions(const Value& schema, const std::string& path);
  void check_resource(const Value& schema, Level level, const std::string& path);
  void check_metadata(const Value& metadata, Level level, const std::string& path);
  void check_values(const Value& schema, const std::string& path, Alternatives any_of,
                    Alternatives first_all_of);
  void check_nested(const Value& schema, const std::string& path, Alternatives any_of);
  void check_nested_parts(const Value& schema, const std::string& path);
  void check_part(const Value& validation, const Value* structure, const Places& places);
  void add(Cause cause) { causes_.push_back(std::move(cause)); }

  std::vector<Cause> causes_;
};

std::vector<Cause> Checker::take_causes() {
  std::ranges::sort(causes_, {}, [](const Cause& it) { return it.field + ": " + it.message; });
  return std::move(causes_);
}

void Checker::check(const Value& schema, Level level, const std::string& path) {
  const Value& items = field(schema, "items");
  if (text_field(schema, "type") == "array" && items.is_null()) {
    add(required(child(path, "items"), "must be specified"));
  }
  if (items.is_object()) check(items, Level::Item, child(path, "items"));
  const std::string properties = child(path, "properties");
  for (const json::Member& member : field(schema, "properties").members()) {
    check(member.value, Level::Field, keyed(properties, member.name()));
  }
  if (const Value& additional = field(schema, "additionalProperties"); !additional.is_null()) {
    const std::string at = child(path, "additionalProperties");
    if (level == Level::Root) add(forbidden(at, "must not be used at the root"));
    if (additional.is_object()) check(additional, Level::Field, at);
  }
  check_extensions(schema, path);
  const auto& all_of = field(schema, "allOf").elements();
  const bool first_is_pattern = !all_of.empty() && is_int_or_string(field(all_of[0], "anyOf"));
  check_values(
      schema, path,
      is_int_or_string(field(schema, "anyOf")) ? Alternatives::IntOrString : Alternatives::Checked,
      first_is_pattern ? Alternatives::IntOrString : Alternatives::Checked);
  check_type(schema, level, path);
  check_resource(schema, level, path);
}

void Checker::check_extensions(const Value& schema, const std::string& path) {
  if (!is_true(schema, "x-kubernetes-int-or-string")) return;
  for (const std::string_view name :
       {"x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"}) {
    if (is_true(schema, name)) {
      add(invalid(child(path, name), Value(true),
                  "must be false if x-kubernetes-int-or-string is true"));
    }
  }
}

void Checker::check_type(const Value& schema, Level level, const std::string& path) {
  const std::string type = text_field(schema, "type");
  const std::string at = child(path, "type");
  constexpr std::string_view kEmbedded = "must be object if x-kubernetes-embedded-resource is true";
  if (is_true(schema, "x-kubernetes-embedded-resource") && type != "object") {
    add(type.empty() ? required(at, kEmbedded) : invalid(at, Value(type), kEmbedded));
  } else if (type.empty() && !is_true(schema, "x-kubernetes-int-or-string") &&
             !is_true(schema, "x-kubernetes-preserve-unknown-fields")) {
    constexpr std::string_view kWhy[] = {"must not be empty at the root",
                                         "must not be empty for specified array items",
                                         "must not be empty for specified object fields"};
    add(required(at, kWhy[static_cast<std::size_t>(level)]));
  }
  if (level == Level::Root && !type.empty() && type != "object") {
    add(invalid(at, Value(type), "must be object at the root"));
  }
}

void Checker::check_resource(const Value& schema, Level level, const std::string& path) {
  const bool is_embedded = is_true(schema, "x-kubernetes-embedded-resource");
  if (is_embedded && schema.find("additionalProperties")) {
    add(forbidden(child(path, "additionalProperties"),
                  "must not be used if x-kubernetes-embedded-resource is set"));
  }
  const Value& properties = field(schema, "properties");
  const std::string at = child(path, "properties");
  const bool is_resource = level == Level::Root || is_embedded;
  for (const std::string_view name : {"kind", "apiVersion"}) {
    const Value* property = properties.find(name);
    if (!property || !is_resource || text_field(*property, "type") == "string") continue;
    add(invalid(child(keyed(at, name), "type"), Value(text_field(*property, "type")),
                "must be string"));
  }
  if (const Value* metadata = properties.find("metadata"); metadata && is_resource) {
    check_metadata(*metadata, level, keyed(at, "metadata"));
  }
  if (is_embedded && !is_true(schema, "x-kubernetes-preserve-unknown-fields") &&
      properties.size() == 0) {
    add(required(at,
                 "must not be empty if x-kubernetes-embedded-resource is true without "
                 "x-kubernetes-preserve-unknown-fields"));
  }
}

void Checker::check_metadata(const Value& metadata, Level level, const std::string& path) {
  if (text_field(metadata, "type") != "object") {
    add(invalid(child(path, "type"), Value(text_field(metadata, "type")), "must be object"));
  }
  if (level != Level::Root) return;
  const bool says_more = std::ranges::any_of(metadata.members(), [](const json::Member& member) {
    if (member.name() == "properties") {
      return std::ranges::any_of(member.value.members(), [](const json::Member& it) {
        return it.name() != "name" && it.name() != "generateName";
      });
    }
    return member.name() != "type" && member.name() != "default" && member.value != Value(false) &&
           member.value != Value("");
  });
  if (says_more) {
    add(forbidden(path,
                  "must not specify anything other than name and generateName, but metadata is "
                  "implicitly specified"));
  }
}

void Checker::check_values(const Value& schema, const std::string& path, Alternatives any_of,
                           Alternatives first_all_of) {
  std::size_t index = 0;
  if (any_of == Alternatives::Checked) {
    for (const Value& it : field(schema, "anyOf").elements()) {
      check_nested(it, indexed(child(path, "anyOf"), index++), Alternatives::Checked);
    }
  }
  index = 0;
  for (const Value& it : field(schema, "allOf").elements()) {
    check_nested(it, indexed(child(path, "allOf"), index),
                 index == 0 ? first_all_of : Alternatives::Checked);
    ++index;
  }
  index = 0;
  for (const Value& it : field(schema, "oneOf").elements()) {
    check_nested(it, indexed(child(path, "oneOf"), index++), Alternatives::Checked);
  }
  if (const Value& it = field(schema, "not"); it.is_object()) {
    check_nested(it, child(path, "not"), Alternatives::Checked);
  }
  const std::string pattern = text_field(schema, "pattern");
  if (pattern.empty()) return;
  if (const cel::PreparedRegex compiled(pattern); !compiled.is_valid()) {
    add(invalid(child(path, "pattern"), Value(pattern),
                "must be a valid regular expression, but isn't: " + compiled.complaint()));
  }
}

void Checker::check_nested(const Value& schema, const std::string& path, Alternatives any_of) {
  check_values(schema, path, any_of, Alternatives::Checked);
  check_nested_parts(schema, path);
  const auto refuse = [&](std::string_view name, std::string_view why) {
    add(forbidden(child(path, name), why));
  };
  for (const std::string_view name : {"type", "title", "description"}) {
    if (!text_field(schema, name).empty()) refuse(name, "must be empty to be structural");
  }
  if (const Value& additional = field(schema, "additionalProperties");
      additional.is_object() || additional == Value(true)) {
    refuse("additionalProperties", "must be undefined to be structural");
  }
  for (const std::string_view name :
       {"default", "x-kubernetes-list-type", "x-kubernetes-map-type"}) {
    if (!field(schema, name).is_null()) refuse(name, "must be undefined to be structural");
  }
  for (const std::string_view name :
       {"nullable", "x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource",
        "x-kubernetes-int-or-string"}) {
    if (is_true(schema, name)) refuse(name, "must be false to be structural");
  }
  for (const std::string_view name : {"x-kubernetes-list-map-keys", "x-kubernetes-validations"}) {
    if (field(schema, name).size() > 0) refuse(name, "must be empty to be structural");
  }
}

void Checker::check_nested_parts(const Value& schema, const std::string& path) {
  if (const Value& items = field(schema, "items"); items.is_object()) {
    check_nested(items, child(path, "items"), Alternatives::Checked);
  }
  const std::string properties = child(path, "properties");
  for (const json::Member& member : field(schema, "properties").members()) {
    check_nested(member.value, keyed(properties, member.name()), Alternatives::Checked);
    if (member.name() == "metadata") {
      add(forbidden(keyed(properties, "metadata"), "must not be specified in a nested context"));
    }
  }
}

void Checker::check_complete(const Value& validation, const Value& structure,
                             const Places& places) {
  if (const Value& it = field(validation, "not"); it.is_object()) {
    check_part(it, &structure, {places.structure, child(places.validation, "not")});
  }
  for (const std::string_view name : {"allOf", "anyOf", "oneOf"}) {
    std::size_t index = 0;
    for (const Value& it : field(validation, name).elements()) {
      check_part(it, &structure,
                 {places.structure, indexed(child(places.validation, name), index++)});
    }
  }
}

// Whatever is said about a value needs a place in the structure.
void Checker::check_part(const Value& validation, const Value* structure, const Places& places) {
  if (!structure) {
    return add(required(places.structure, "because it is defined in " + places.validation));
  }
  check_complete(validation, *structure, places);
  if (const Value& items = field(validation, "items"); items.is_object()) {
    const Value& known = field(*structure, "items");
    check_part(items, known.is_object() ? &known : nullptr,
               {child(places.structure, "items"), child(places.validation, "items")});
  }
  for (const json::Member& member : field(validation, "properties").members()) {
    check_part(member.value, field(*structure, "properties").find(member.name()),
               {keyed(child(places.structure, "properties"), member.name()),
                keyed(child(places.validation, "properties"), member.name())});
  }
}

}  // namespace

std::vector<Cause> check_structural(const Value& schema, const std::string& path) {
  Checker checker;
  checker.check(schema, Level::Root, path);
  checker.check_complete(schema, schema, {path, path});
  return checker.take_causes();
}

}  // namespace berth::apiserver

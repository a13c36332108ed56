#include "apiserver/custom/version_validation.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "api/json_path.h"
#include "api/kinds/fields.h"
#include "apiserver/schema/default_check.h"
#include "apiserver/schema/field_errors.h"
#include "apiserver/schema/openapi_check.h"
#include "apiserver/schema/rule_field_path.h"
#include "apiserver/schema/structural.h"
#include "apiserver/schema/structural_check.h"

namespace berth::apiserver {
namespace {

using json::Value;

constexpr std::size_t kSelectableMax = 8;

class Check {
 public:
  Check(const DefinitionVersion& version, std::string path)
      : version_(version), path_(std::move(path)) {}

  void check_warning();
  void check_schema();
  void check_scale();
  void check_columns();
  void check_selectable(const Value* old_version);
  std::vector<Cause> take_causes() { return std::move(causes_); }

 private:
  void check_root(const Value& schema, const std::string& path);
  void check_path(const std::string& field, const std::string& path);
  void check_column(const Column& column, const std::string& path);
  void add(Cause cause) { causes_.push_back(std::move(cause)); }
  void append(std::vector<Cause> more) { std::ranges::move(more, std::back_inserter(causes_)); }

  const DefinitionVersion& version_;
  std::string path_;
  std::vector<Cause> causes_;
};

void Check::check_warning() {
  if (!version_.deprecation_warning) return;
  const std::string& text = *version_.deprecation_warning;
  const auto refuse = [&](std::string_view why) { add(invalid(path_, Value(text), why)); };
  if (!version_.is_deprecated) return refuse("can only be set for deprecated versions");
  if (text.size() > 256) refuse("must be <= 256 characters long");
  if (text.empty()) refuse("must not be an empty string");
  const auto bad = std::ranges::find_if(
      text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
  if (bad != text.end()) {
    refuse(
        fmt::format("must only contain printable UTF-8 characters; non-printable character found "
                    "at index {}",
                    bad - text.begin()));
  }
}

// Where the status is written on its own, what the whole object has to say about its members would
// get lost.
void Check::check_root(const Value& schema, const std::string& path) {
  constexpr std::string_view kAllowed[] = {"description",
                                           "type",
                                           "format",
                                           "title",
                                           "maximum",
                                           "exclusiveMaximum",
                                           "minimum",
                                           "exclusiveMinimum",
                                           "maxLength",
                                           "minLength",
                                           "pattern",
                                           "maxItems",
                                           "minItems",
                                           "uniqueItems",
                                           "multipleOf",
                                           "required",
                                           "items",
                                           "properties",
                                           "externalDocs",
                                           "example",
                                           "x-kubernetes-preserve-unknown-fields",
                                           "x-kubernetes-validations"};
  if (!version_.has_status) return;
  for (const json::Member& member : schema.members()) {
    if (std::ranges::find(kAllowed, member.name()) != std::end(kAllowed)) continue;
    add(invalid_whole(path,
                      "only [Description Type Format Title Maximum ExclusiveMaximum Minimum "
                      "ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems "
                      "UniqueItems MultipleOf Required Items Properties ExternalDocs Example "
                      "XPreserveUnknownFields XValidations] fields are allowed at the root of "
                      "the schema if the status subresource is enabled"));
    return;
  }
}

void Check::check_schema() {
  if (!version_.schema) return;
  const Value& schema = *version_.schema;
  const std::string path = child(path_, "openAPIV3Schema");
  const std::size_t before = causes_.size();
  check_root(schema, path);
  if (api::field(schema, "nullable").as_bool().value_or(false)) {
    add(forbidden(child(path, "nullable"), "nullable cannot be true at the root"));
  }
  append(check_structural(schema, path));
  const bool is_structural = causes_.size() == before;
  append(check_openapi(schema, path));
  // Rules need to know their types, and defaults what they are held to.
  if (!is_structural || causes_.size() > before) return;
  SchemaSet nodes;
  StructuralSchema built = build_structural(nodes, schema, {.path = path});
  append(check_defaults(*built.root, path));
  append(std::move(built.rule_problems));
}

void Check::check_path(const std::string& field, const std::string& path) {
  if (path[0] != '.') {
    add(invalid(field, Value(path), "must be a simple json path starting with ."));
  }
}

void Check::check_scale() {
  if (!version_.scale) return;
  const auto check = [this](std::string_view name, const std::string& path,
                            std::string_view parent) {
    const std::string field = child(path_, fmt::format("scale.{}", name));
    if (path.empty()) return add(required(field, ""));
    if (path[0] != '.') return check_path(field, path);
    if (!path.starts_with(fmt::format("{}.", parent))) {
      add(invalid(field, Value(path), fmt::format("should be a json path under {}", parent)));
    }
  };
  check("specReplicasPath", version_.scale->replicas, ".spec");
  check("statusReplicasPath", version_.scale->status_replicas, ".status");
  const std::string& selector = version_.scale->selector;
  if (selector.empty()) return;
  const std::string field = child(path_, "scale.labelSelectorPath");
  if (selector[0] != '.') return check_path(field, selector);
  if (!selector.starts_with(".spec.") && !selector.starts_with(".status.")) {
    add(invalid(field, Value(selector), "should be a json path under either .spec or .status"));
  }
}

void Check::check_column(const Column& column, const std::string& path) {
  constexpr std::string_view kTypes[] = {"boolean", "date", "integer", "number", "string"};
  constexpr std::string_view kFormats[] = {"byte",  "date",  "date-time", "double",
                                           "float", "int32", "int64",     "password"};
  const auto one_of = [](const auto& values) {
    return fmt::format("must be one of {}", fmt::join(values, ","));
  };
  if (column.name.empty()) add(required(child(path, "name"), ""));
  if (column.type.empty()) {
    add(required(child(path, "type"), one_of(kTypes)));
  } else if (std::ranges::find(kTypes, column.type) == std::end(kTypes)) {
    add(invalid(child(path, "type"), Value(column.type), one_of(kTypes)));
  }
  if (!column.format.empty() && std::ranges::find(kFormats, column.format) == std::end(kFormats)) {
    add(invalid(child(path, "format"), Value(column.format), one_of(kFormats)));
  }
  const std::string at = child(path, "JSONPath");
  if (column.json_path.empty()) {
    add(required(at, ""));
  } else if (column.json_path[0] != '.') {
    check_path(at, column.json_path);
  } else if (const auto parsed = api::JsonPath::parse(column.json_path); !parsed.ok()) {
    add(invalid(at, Value(column.json_path), parsed.error().message));
  }
}

void Check::check_columns() {
  std::size_t index = 0;
  for (const Column& column : version_.columns) check_column(column, indexed(path_, index++));
}

void Check::check_selectable(const Value* old_version) {
  if (version_.selectable.empty()) return;
  const std::string& path = path_;
  if (!version_.schema) {
    return add(invalid(path, Value(""),
                       "may only be set when `version.schema.openAPIV3Schema` is not included"));
  }
  SchemaSet nodes;
  const Schema& schema = *build_structural(nodes, *version_.schema).root;
  std::set<std::string> seen;
  std::size_t index = 0;
  for (const std::string& selectable : version_.selectable) {
    const std::string at = child(indexed(path, index++), "jsonPath");
    if (selectable.empty()) {
      add(required(at, ""));
      continue;
    }
    const auto found = read_field_path(schema, selectable, Brackets::Refused);
    if (!found.ok()) {
      add(invalid(at, Value(selectable),
                  fmt::format("is an invalid path: {}", found.error().message)));
      continue;
    }
    if (found->first == "metadata") {
      add(invalid(at, Value(selectable), "must not point to fields in metadata"));
    }
    const Form form = found->schema->form;
    if (form != Form::String && form != Form::Boolean && form != Form::Integer) {
      add(invalid(
          at, Value(selectable),
          "must point to a field of type string, boolean or integer. Enum string fields and "
          "strings with formats are allowed."));
    }
    if (!seen.insert(found->text).second) add(duplicate(at, Value(selectable)));
  }
  const Value* before = old_version ? old_version->find("selectableFields") : nullptr;
  const bool was_too_many = before && before->size() == version_.selectable.size();
  if (seen.size() > kSelectableMax && !was_too_many) {
    add(too_many(path, static_cast<std::int64_t>(seen.size()), kSelectableMax));
  }
}

}  // namespace

std::vector<Cause> validate_warning(const DefinitionVersion& version, const std::string& path) {
  Check check(version, path);
  check.check_warning();
  return check.take_causes();
}

std::vector<Cause> validate_schema(const DefinitionVersion& version, const std::string& path) {
  Check check(version, path);
  check.check_schema();
  return check.take_causes();
}

std::vector<Cause> validate_scale(const DefinitionVersion& version, const std::string& path) {
  Check check(version, path);
  check.check_scale();
  return check.take_causes();
}

std::vector<Cause> validate_columns(const DefinitionVersion& version, const std::string& path) {
  Check check(version, path);
  check.check_columns();
  return check.take_causes();
}

std::vector<Cause> validate_selectable(const DefinitionVersion& version, const Value* old_version,
                                       const std::string& path) {
  Check check(version, path);
  check.check_selectable(old_version);
  return check.take_causes();
}

const Value* find_version(const Value& definition, std::string_view name) {
  const Value& spec = api::field(definition, "spec");
  for (const Value& version : api::elements_field(spec, "versions")) {
    if (api::text_field(version, "name") == name) return &version;
  }
  return nullptr;
}

}  // namespace berth::apiserver

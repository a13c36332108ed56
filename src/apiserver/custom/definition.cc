#include "apiserver/custom/definition.h"

#include <algorithm>
#include <utility>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "base/strings.h"

namespace berth::apiserver {
namespace {

using api::elements_field;
using api::field;
using api::text_field;
using json::Value;

bool flag(const Value& object, std::string_view name) {
  return field(object, name).as_bool().value_or(false);
}

Column read_column(const Value& column) {
  return {.name = text_field(column, "name"),
          .type = text_field(column, "type"),
          .format = text_field(column, "format"),
          .description = text_field(column, "description"),
          .priority = api::int32_field(column, "priority").value_or(0),
          .json_path = text_field(column, "jsonPath")};
}

DefinitionVersion read_version(const Value& version) {
  DefinitionVersion result{.name = text_field(version, "name"),
                           .is_served = flag(version, "served"),
                           .is_storage = flag(version, "storage"),
                           .is_deprecated = flag(version, "deprecated")};
  if (const auto warning = field(version, "deprecationWarning").as_string()) {
    result.deprecation_warning = std::string(*warning);
  }
  if (const Value* schema = version.find_path({"schema", "openAPIV3Schema"});
      schema && schema->is_object()) {
    result.schema = *schema;
  }
  const Value& subresources = field(version, "subresources");
  result.has_status = field(subresources, "status").is_object();
  if (const Value& scale = field(subresources, "scale"); scale.is_object()) {
    result.scale = ScalePaths{.replicas = text_field(scale, "specReplicasPath"),
                              .status_replicas = text_field(scale, "statusReplicasPath"),
                              .selector = text_field(scale, "labelSelectorPath")};
  }
  for (const Value& column : elements_field(version, "additionalPrinterColumns")) {
    result.columns.push_back(read_column(column));
  }
  for (const Value& it : elements_field(version, "selectableFields")) {
    result.selectable.push_back(text_field(it, "jsonPath"));
  }
  return result;
}

std::optional<Scope> read_scope(std::string_view scope) {
  if (scope == "Namespaced") return Scope::Namespaced;
  if (scope == "Cluster") return Scope::Cluster;
  return std::nullopt;
}

void default_text(Value& object, std::string_view name, const std::string& text) {
  if (!text.empty() && text_field(object, name).empty()) object[name] = text;
}

// Makes the member an object; false when it is something else.
bool ensure_object(Value& object, std::string_view name) {
  Value& member = object[name];
  if (member.is_null()) member = Value::object();
  return member.is_object();
}

void default_stored_versions(Value& object) {
  const Definition definition = read_definition(object);
  const DefinitionVersion* storage = definition.storage_version();
  if (!storage || !ensure_object(object, "status")) return;
  if (std::ranges::find(definition.stored_versions, storage->name) !=
      definition.stored_versions.end()) {
    return;
  }
  Value& stored = object["status"]["storedVersions"];
  if (!stored.is_array()) stored = Value::array();
  stored.push_back(Value(storage->name));
}

}  // namespace

const DefinitionVersion* Definition::storage_version() const {
  const auto found = std::ranges::find_if(versions, &DefinitionVersion::is_storage);
  return found == versions.end() ? nullptr : &*found;
}

DefinitionNames read_names(const Value& names) {
  return {.plural = text_field(names, "plural"),
          .singular = text_field(names, "singular"),
          .kind = text_field(names, "kind"),
          .list_kind = text_field(names, "listKind"),
          .short_names = api::texts_field(names, "shortNames"),
          .categories = api::texts_field(names, "categories")};
}

Definition read_definition(const Value& object) {
  const Value& metadata = field(object, "metadata");
  const Value& spec = field(object, "spec");
  const Value& status = field(object, "status");
  Definition result{.name = text_field(metadata, "name"),
                    .uid = text_field(metadata, "uid"),
                    .group = text_field(spec, "group"),
                    .scope = read_scope(text_field(spec, "scope")),
                    .names = read_names(field(spec, "names")),
                    .conversion = text_field(field(spec, "conversion"), "strategy"),
                    .preserves_unknown_fields = flag(spec, "preserveUnknownFields"),
                    .accepted_names = read_names(field(status, "acceptedNames")),
                    .stored_versions = api::texts_field(status, "storedVersions"),
                    .is_established = api::is_condition_true(object, "Established")};
  for (const Value& version : elements_field(spec, "versions")) {
    result.versions.push_back(read_version(version));
  }
  return result;
}

Value with_definition_defaults(Value object) {
  if (!object.is_object() || !ensure_object(object, "spec")) return object;
  Value& spec = object["spec"];
  if (ensure_object(spec, "names")) {
    Value& names = spec["names"];
    const std::string kind = text_field(names, "kind");
    default_text(names, "singular", lower_ascii(kind));
    default_text(names, "listKind", kind.empty() ? "" : kind + "List");
  }
  if (ensure_object(spec, "conversion")) default_text(spec["conversion"], "strategy", "None");
  default_stored_versions(object);
  return object;
}

}  // namespace berth::apiserver

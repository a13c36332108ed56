#include "apiserver/custom/custom_resources.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "apiserver/schema/structural.h"
#include "base/strings.h"

namespace berth::apiserver {
namespace {

const std::vector<std::string> kVerbs = {"create", "delete", "deletecollection", "get",
                                         "list",   "patch",  "update",           "watch"};
const std::vector<std::string> kSubresourceVerbs = {"get", "patch", "update"};

// By age: v1 is younger than v1beta2, which is younger than v1beta1 and v1alpha9. Others come
// before all of these.
struct VersionAge {
  int stage = -1;  // alpha, beta, stable
  std::int64_t major = 0;
  std::int64_t minor = 0;

  auto operator<=>(const VersionAge&) const = default;
};

VersionAge age_of(std::string_view version) {
  if (!version.starts_with('v')) return {};
  version.remove_prefix(1);
  const std::size_t digits = std::min(version.find_first_not_of("0123456789"), version.size());
  const auto major = parse_int64(version.substr(0, digits));
  if (!major) return {};
  version.remove_prefix(digits);
  if (version.empty()) return {.stage = 2, .major = *major};
  const bool is_beta = version.starts_with("beta");
  if (!is_beta && !version.starts_with("alpha")) return {};
  const auto minor = parse_int64(version.substr(is_beta ? 4 : 5));
  if (!minor) return {};
  return {.stage = is_beta ? 1 : 0, .major = *major, .minor = *minor};
}

std::vector<Subresource> subresources_of(const DefinitionVersion& version, const api::Gvk& kind) {
  std::vector<Subresource> subresources;
  if (version.scale) {
    subresources.push_back({.name = "scale",
                            .kind = {.group = "autoscaling", .version = "v1", .kind = "Scale"},
                            .verbs = kSubresourceVerbs});
  }
  if (version.has_status) {
    subresources.push_back({.name = "status", .kind = kind, .verbs = kSubresourceVerbs});
  }
  return subresources;
}

std::vector<Column> columns_of(const DefinitionVersion& version) {
  if (!version.columns.empty()) return version.columns;
  return {{.name = "Age",
           .type = "date",
           .description = "When the object was created.",
           .json_path = ".metadata.creationTimestamp"}};
}

std::shared_ptr<const Resource> make_resource(const Definition& definition,
                                              const DefinitionVersion& version,
                                              const Schema* object_meta) {
  const DefinitionNames& names = definition.accepted_names;
  const auto nodes = std::make_shared<SchemaSet>();
  const json::Value schema = version.schema.value_or(json::Value::object());
  const StructuralSchema built = build_structural(*nodes, schema, {.object_meta = object_meta});
  const api::Gvk kind{.group = definition.group, .version = version.name, .kind = names.kind};
  const CustomFacts facts{.definition = definition.name,
                          .definition_uid = definition.uid,
                          .has_status = version.has_status,
                          .scale = version.scale,
                          .columns = columns_of(version),
                          .selectable = version.selectable,
                          .warning = deprecation_warning(definition, version)};
  return std::make_shared<const Resource>(Resource{
      .gvr = {.group = definition.group, .version = version.name, .resource = names.plural},
      .kind = names.kind,
      .list_kind = names.list_kind,
      .singular = names.singular,
      .scope = definition.scope.value_or(Scope::Namespaced),
      .verbs = kVerbs,
      .short_names = names.short_names,
      .categories = names.categories,
      .subresources = subresources_of(version, kind),
      .table = names.plural + "." + definition.group,
      .storage_version = definition.group + "/" + definition.storage_version()->name,
      .schema = built.root,
      .schemas = nodes,
      .custom = std::make_shared<const CustomFacts>(facts)});
}

}  // namespace

std::string deprecation_warning(const Definition& definition, const DefinitionVersion& version) {
  if (!version.is_deprecated) return {};
  if (version.deprecation_warning) return *version.deprecation_warning;
  const std::string& kind = definition.names.kind;
  const DefinitionVersion* newest = nullptr;
  for (const DefinitionVersion& it : definition.versions) {
    if (!it.is_served || it.is_deprecated || age_of(it.name) <= age_of(version.name)) continue;
    if (!newest || age_of(newest->name) < age_of(it.name)) newest = &it;
  }
  std::string text = fmt::format("{}/{} {} is deprecated", definition.group, version.name, kind);
  if (newest) text += fmt::format("; use {}/{} {}", definition.group, newest->name, kind);
  return text;
}

std::vector<std::shared_ptr<const Resource>> custom_resources(const Definition& definition,
                                                              const Schema* object_meta) {
  std::vector<std::shared_ptr<const Resource>> resources;
  if (!definition.is_established || !definition.storage_version()) return resources;
  for (const DefinitionVersion& version : definition.versions) {
    if (version.is_served) resources.push_back(make_resource(definition, version, object_meta));
  }
  return resources;
}

}  // namespace berth::apiserver

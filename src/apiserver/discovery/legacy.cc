#include "apiserver/discovery/legacy.h"

#include <algorithm>

#include "apiserver/discovery/digest.h"
#include "apiserver/discovery/published.h"
#include "json/print.h"

namespace berth::apiserver {
namespace {

using json::Value;

Value version_entry(const std::string& group, const std::string& version) {
  return Value::object(
      {{"groupVersion", api::GroupVersion{.group = group, .version = version}.text()},
       {"version", version}});
}

void append_group(Value& value, const ServedGroup& group) {
  value["name"] = group.name;
  Value& versions = value["versions"] = Value::array();
  for (const std::string& version : group.versions) {
    versions.push_back(version_entry(group.name, version));
  }
  value["preferredVersion"] = version_entry(group.name, group.versions.front());
}

Value resource_entry(const Resource& resource) {
  Value entry = Value::object({{"name", resource.gvr.resource},
                               {"singularName", resource.singular},
                               {"namespaced", resource.scope == Scope::Namespaced},
                               {"kind", resource.kind},
                               {"verbs", published_verbs(resource)}});
  if (!resource.short_names.empty()) entry["shortNames"] = texts_value(resource.short_names);
  if (!resource.categories.empty()) entry["categories"] = texts_value(resource.categories);
  if (resource.has_verb("list")) {
    entry["storageVersionHash"] = storage_version_hash(resource.storage_version, resource.kind);
  }
  return entry;
}

Value subresource_entry(const Subresource& subresource, const Resource& parent) {
  Value entry = Value::object({{"name", parent.gvr.resource + "/" + subresource.name},
                               {"singularName", ""},
                               {"namespaced", parent.scope == Scope::Namespaced}});
  if (is_of_other_version(subresource, parent)) {
    entry["group"] = subresource.kind.group;
    entry["version"] = subresource.kind.version;
  }
  entry["kind"] = subresource.kind.kind;
  entry["verbs"] = texts_value(subresource.verbs);
  return entry;
}

}  // namespace

std::string api_versions(const Registry& registry, std::string_view server_address) {
  Value versions = Value::array();
  for (const ServedGroup& group : registry.groups()) {
    if (group.name.empty()) versions = texts_value(group.versions);
  }
  const Value address =
      Value::object({{"clientCIDR", "0.0.0.0/0"}, {"serverAddress", server_address}});
  return json::print(Value::object({{"kind", "APIVersions"},
                                    {"versions", std::move(versions)},
                                    {"serverAddressByClientCIDRs", Value::array({address})}}));
}

std::string api_group_list(const Registry& registry) {
  Value list = Value::object({{"kind", "APIGroupList"}, {"apiVersion", "v1"}});
  Value& groups = list["groups"] = Value::array();
  for (const ServedGroup& group : registry.groups()) {
    if (!group.name.empty()) append_group(groups.push_back(Value::object()), group);
  }
  return json::print(list);
}

std::optional<std::string> api_group(const Registry& registry, std::string_view group) {
  const auto found = std::ranges::find(registry.groups(), group, &ServedGroup::name);
  if (found == registry.groups().end() || group.empty()) return std::nullopt;
  Value value = Value::object({{"kind", "APIGroup"}, {"apiVersion", "v1"}});
  append_group(value, *found);
  return json::print(value);
}

std::optional<std::string> api_resource_list(const Registry& registry, std::string_view group,
                                             std::string_view version) {
  const auto resources = registry.resources(group, version);
  if (resources.empty()) return std::nullopt;
  Value list = Value::object({{"kind", "APIResourceList"}});
  // Kubernetes leaves it out for its oldest document.
  if (!group.empty()) list["apiVersion"] = "v1";
  list["groupVersion"] = resources.front()->api_version();
  Value& entries = list["resources"] = Value::array();
  for (const auto& resource : resources) {
    entries.push_back(resource_entry(*resource));
    for (const Subresource& subresource : published_subresources(*resource)) {
      entries.push_back(subresource_entry(subresource, *resource));
    }
  }
  return json::print(list);
}

}  // namespace berth::apiserver

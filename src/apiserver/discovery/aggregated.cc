#include "apiserver/discovery/aggregated.h"

#include <utility>

#include "apiserver/discovery/digest.h"
#include "apiserver/discovery/published.h"
#include "json/print.h"

namespace berth::apiserver {
namespace {

using json::Value;

// Kubernetes names group and version of its own kinds only where they differ from the document's.
Value response_kind(const api::Gvk& kind, const Resource& resource) {
  const bool is_named =
      resource.custom || kind.group != resource.gvr.group || kind.version != resource.gvr.version;
  return Value::object({{"group", is_named ? kind.group : ""},
                        {"version", is_named ? kind.version : ""},
                        {"kind", kind.kind}});
}

Value subresource_entry(const Subresource& subresource, const Resource& parent) {
  return Value::object({{"subresource", subresource.name},
                        {"responseKind", response_kind(subresource.kind, parent)},
                        {"verbs", texts_value(subresource.verbs)}});
}

Value resource_entry(const Resource& resource) {
  const api::Gvk kind = {
      .group = resource.gvr.group, .version = resource.gvr.version, .kind = resource.kind};
  Value entry =
      Value::object({{"resource", resource.gvr.resource},
                     {"responseKind", response_kind(kind, resource)},
                     {"scope", resource.scope == Scope::Namespaced ? "Namespaced" : "Cluster"},
                     {"singularResource", resource.singular},
                     {"verbs", published_verbs(resource)}});
  if (!resource.short_names.empty()) entry["shortNames"] = texts_value(resource.short_names);
  if (!resource.categories.empty()) entry["categories"] = texts_value(resource.categories);
  if (resource.subresources.empty()) return entry;
  Value& subresources = entry["subresources"] = Value::array();
  for (const Subresource& subresource : published_subresources(resource)) {
    subresources.push_back(subresource_entry(subresource, resource));
  }
  return entry;
}

Value group_entry(const Registry& registry, const ServedGroup& group) {
  Value metadata = Value::object();
  if (!group.name.empty()) metadata["name"] = group.name;
  Value versions = Value::array();
  for (const std::string& version : group.versions) {
    Value resources = Value::array();
    for (const auto& resource : registry.resources(group.name, version)) {
      resources.push_back(resource_entry(*resource));
    }
    versions.push_back(Value::object(
        {{"version", version}, {"resources", std::move(resources)}, {"freshness", "Current"}}));
  }
  return Value::object({{"metadata", std::move(metadata)}, {"versions", std::move(versions)}});
}

DiscoveryDocument document(Value items) {
  const std::string text = json::print(Value::object({{"kind", "APIGroupDiscoveryList"},
                                                      {"apiVersion", "apidiscovery.k8s.io/v2"},
                                                      {"metadata", Value::object()},
                                                      {"items", std::move(items)}}));
  return {.text = text, .etag = "\"" + document_hash(text) + "\""};
}

}  // namespace

DiscoveryDocument aggregated_core(const Registry& registry) {
  Value items = Value::array();
  for (const ServedGroup& group : registry.groups()) {
    if (group.name.empty()) items.push_back(group_entry(registry, group));
  }
  return document(std::move(items));
}

DiscoveryDocument aggregated_groups(const Registry& registry) {
  Value items = Value::array();
  for (const ServedGroup& group : registry.groups()) {
    if (!group.name.empty()) items.push_back(group_entry(registry, group));
  }
  return document(std::move(items));
}

}  // namespace berth::apiserver

#include "apiserver/openapi/document.h"

#include <map>
#include <utility>

#include "apiserver/kinds/kinds_files.h"
#include "apiserver/openapi/components.h"
#include "apiserver/openapi/custom_schema.h"
#include "apiserver/openapi/operations.h"
#include "json/print.h"

namespace berth::apiserver {

using json::Value;

OpenApi::OpenApi() : types_(read_kinds_file("types")), names_(types_) {}

std::optional<std::string> OpenApi::document(const Registry& registry,
                                             const api::GroupVersion& version,
                                             const SchemaOf& schema_of) const {
  const auto resources = registry.resources(version.group, version.version);
  if (resources.empty()) return std::nullopt;
  std::map<std::string, Value> paths;
  Components components(types_);
  for (const auto& resource : resources) {
    if (resource->custom) {
      components.add(names_.object(*resource), published_object(*resource, schema_of(*resource)));
      components.add(names_.list(*resource), published_list(*resource));
    }
    const Value of_resource = openapi_paths(*resource, names_);
    components.collect(of_resource);
    for (const auto& [path, item] : of_resource.members()) {
      paths.emplace(path.string_or_empty(), item);
    }
  }
  Value all_paths = Value::object();
  for (auto& [path, item] : paths) all_paths.append_member(path, std::move(item));
  return json::print(Value::object(
      {{"openapi", "3.0.0"},
       {"info", Value::object({{"title", "Kubernetes"}, {"version", version.text()}})},
       {"paths", std::move(all_paths)},
       {"components", Value::object({{"schemas", components.schemas()}})}}));
}

std::string openapi_path(const api::GroupVersion& version) {
  return (version.group.empty() ? "api/" : "apis/") + version.text();
}

std::string openapi_index(std::span<const OpenApiEntry> entries) {
  std::map<std::string, std::string> paths;
  for (const OpenApiEntry& entry : entries) {
    const std::string path = openapi_path(entry.version);
    paths.emplace(path, "/openapi/v3/" + path + "?hash=" + entry.hash);
  }
  Value index = Value::object();
  for (const auto& [path, url] : paths) {
    index.append_member(path, Value::object({{"serverRelativeURL", url}}));
  }
  return json::print(Value::object({{"paths", std::move(index)}}));
}

}  // namespace berth::apiserver

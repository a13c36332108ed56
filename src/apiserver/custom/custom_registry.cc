#include "apiserver/custom/custom_registry.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "api/metadata.h"
#include "apiserver/custom/custom_resources.h"
#include "apiserver/custom/definition.h"
#include "json/parse.h"

namespace berth::apiserver {
namespace {

constexpr std::string_view kObjectMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

// While a definition is being deleted its objects are, too: there are no new ones.
std::shared_ptr<const Resource> without_creation(const Resource& resource) {
  auto result = std::make_shared<Resource>(resource);
  std::erase(result->verbs, "create");
  return result;
}

std::vector<std::shared_ptr<const Resource>> resources_of(const json::Value& definition,
                                                          const Schema* object_meta) {
  auto resources = custom_resources(read_definition(definition), object_meta);
  if (!api::Metadata(definition).is_being_deleted()) return resources;
  for (auto& resource : resources) resource = without_creation(*resource);
  return resources;
}

}  // namespace

std::shared_ptr<const Registry> CustomRegistry::at(const store::Snapshot& snapshot) {
  std::vector<std::shared_ptr<const Resource>> resources = kinds_.resources;
  const Schema* object_meta = kinds_.types->find(kObjectMeta);
  std::map<std::string, Known, std::less<>> now;
  snapshot.table(kDefinitionTable)
      .visit("", [&](std::string_view name, const store::EntryPtr& entry) {
        Known known = std::move(known_[std::string(name)]);
        if (known.revision != entry->revision) {
          known.revision = entry->revision;
          const auto object = json::parse(entry->text);
          known.resources.clear();
          if (object.ok()) known.resources = resources_of(*object, object_meta);
        }
        resources.insert(resources.end(), known.resources.begin(), known.resources.end());
        now.emplace(name, std::move(known));
        return true;
      });
  known_ = std::move(now);
  return std::make_shared<Registry>(std::move(resources));
}

std::optional<json::Value> raw_schema(const Resource& resource, const store::Snapshot& snapshot) {
  if (!resource.custom) return std::nullopt;
  const store::EntryPtr entry = snapshot.table(kDefinitionTable).find(resource.custom->definition);
  if (!entry) return std::nullopt;
  const auto object = json::parse(entry->text);
  if (!object.ok()) return std::nullopt;
  Definition definition = read_definition(*object);
  const auto version =
      std::ranges::find(definition.versions, resource.gvr.version, &DefinitionVersion::name);
  if (version == definition.versions.end()) return std::nullopt;
  return std::move(version->schema);
}

}  // namespace berth::apiserver

#include "kube/comparison/objects.h"

#include <utility>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "api/kinds/placement_decision.h"
#include "json/print.h"

namespace berth::kube {
namespace {

struct KindFacts {
  std::string_view kind;
  std::string_view plural;
  std::string_view version;
};

constexpr std::string_view kGroup = "cluster.open-cluster-management.io";

KindFacts facts_of(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::Cluster:
      return {"ManagedCluster", "managedclusters", "v1"};
    case ObjectKind::Set:
      return {"ManagedClusterSet", "managedclustersets", "v1beta2"};
    case ObjectKind::Binding:
      return {"ManagedClusterSetBinding", "managedclustersetbindings", "v1beta2"};
    case ObjectKind::Score:
      return {"AddOnPlacementScore", "addonplacementscores", "v1alpha1"};
    case ObjectKind::Placement:
      return {"Placement", "placements", "v1beta1"};
    case ObjectKind::Decision:
      return {"PlacementDecision", "placementdecisions", "v1beta1"};
  }
  return {};
}

}  // namespace

ObjectName name_of(const json::Value& object) {
  const json::Value& metadata = api::field(object, "metadata");
  return {.ns = api::text_field(metadata, "namespace"), .name = api::text_field(metadata, "name")};
}

client::ResourcePath path_of(ObjectKind kind, const ObjectName& name) {
  const KindFacts facts = facts_of(kind);
  return {.resource = {.group = std::string(kGroup),
                       .version = std::string(facts.version),
                       .resource = std::string(facts.plural)},
          .ns = name.ns,
          .name = name.name};
}

json::Value new_object(ObjectKind kind, const ObjectName& name) {
  const KindFacts facts = facts_of(kind);
  json::Value object =
      json::Value::object({{"apiVersion", fmt::format("{}/{}", kGroup, facts.version)},
                           {"kind", facts.kind},
                           {"metadata", json::Value::object({{"name", name.name}})}});
  if (!name.ns.empty()) object["metadata"]["namespace"] = name.ns;
  return object;
}

std::string to_string(const Edit& edit) {
  constexpr std::string_view kVerbs[] = {"create", "patch", "patch status of", "delete"};
  return fmt::format("{} {} {}/{} {}", kVerbs[static_cast<std::size_t>(edit.verb)],
                     facts_of(edit.kind).kind, edit.name.ns, edit.name.name,
                     json::print(edit.body));
}

const json::Value* Objects::find(ObjectKind kind, const ObjectName& name) const {
  const auto found = all(kind).find(name);
  return found == all(kind).end() ? nullptr : &found->second;
}

void Objects::put(ObjectKind kind, json::Value object) {
  const ObjectName name = name_of(object);
  tables_[index(kind)].insert_or_assign(name, std::move(object));
}

void Objects::replace(ObjectKind kind, const json::Value& list) {
  tables_[index(kind)].clear();
  for (const json::Value& item : api::elements_field(list, "items")) put(kind, item);
}

std::vector<const json::Value*> Objects::decisions_of(const ObjectName& placement) const {
  std::vector<const json::Value*> found;
  for (const auto& [name, object] : all(ObjectKind::Decision)) {
    const json::Value& labels = api::field(api::field(object, "metadata"), "labels");
    const bool is_of =
        name.ns == placement.ns && api::text_field(labels, api::kPlacementLabel) == placement.name;
    if (is_of) found.push_back(&object);
  }
  return found;
}

std::string Objects::print() const {
  std::string text;
  for (const ObjectKind kind : kObjectKinds) text += print(kind);
  return text;
}

std::string Objects::print(ObjectKind kind) const {
  std::string text;
  for (const auto& [name, object] : all(kind)) {
    json::Value shown = object;
    for (const char* noise : {"managedFields", "uid", "creationTimestamp", "generation"}) {
      shown["metadata"].erase(noise);
    }
    text += json::print(shown) + "\n";
  }
  return text;
}

}  // namespace berth::kube

#include "kube/comparison/objects.h"

#include <utility>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "api/kinds/placement_decision.h"
#include "json/merge_patch.h"
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

std::string to_string(const ObjectName& name) {
  return name.ns.empty() ? name.name : name.ns + "/" + name.name;
}

ObjectName name_from(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return {.name = std::string(text)};
  return {.ns = std::string(text.substr(0, slash)), .name = std::string(text.substr(slash + 1))};
}

std::string_view kind_name(ObjectKind kind) { return facts_of(kind).kind; }

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

bool is_gone(const json::Value& object) {
  const json::Value& metadata = api::field(object, "metadata");
  return metadata.find("deletionTimestamp") && api::elements_field(metadata, "finalizers").empty();
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
  std::string text = fmt::format("{} {} {}", kVerbs[static_cast<std::size_t>(edit.verb)],
                                 kind_name(edit.kind), to_string(edit.name));
  return edit.body.is_null() ? text : text + " " + json::print(edit.body);
}

const json::Value* Objects::find(ObjectKind kind, const ObjectName& name) const {
  const auto found = all(kind).find(name);
  return found == all(kind).end() ? nullptr : &found->second;
}

void Objects::put(ObjectKind kind, json::Value object) {
  const ObjectName name = name_of(object);
  for (const char* book : {"managedFields", "resourceVersion", "creationTimestamp", "generation"}) {
    object["metadata"].erase(book);
  }
  tables_[index(kind)].insert_or_assign(name, std::move(object));
}

void Objects::replace(ObjectKind kind, const json::Value& list) {
  tables_[index(kind)].clear();
  for (const json::Value& item : api::elements_field(list, "items")) put(kind, item);
}

void Objects::apply(const Edit& edit) {
  if (edit.verb == Edit::Verb::Create) return put(edit.kind, edit.body);
  const json::Value* found = find(edit.kind, edit.name);
  if (!found) return;
  json::Value object = *found;
  if (edit.verb == Edit::Verb::Delete) {
    object["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z";
  } else {
    object = json::apply_merge_patch(std::move(object), edit.body);
  }
  if (is_gone(object)) return remove(edit.kind, edit.name);
  put(edit.kind, std::move(object));
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
  for (const ObjectKind kind : kObjectKinds) {
    for (const auto& [name, object] : all(kind)) text += json::print(object) + "\n";
  }
  return text;
}

}  // namespace berth::kube

// Tested by addons_controller_test.cc.
#include "fleet/addons/addon_kinds_controller.h"

#include <functional>
#include <utility>

#include "api/kinds/fields.h"
#include "base/check.h"
#include "fleet/addons/spec_hash.h"
#include "json/print.h"

namespace berth::fleet {

client::Gvr resource_of(AddOnResource kind) {
  constexpr const char* kCluster = "cluster.open-cluster-management.io";
  const std::string add_on(kAddOnGroup);
  switch (kind) {
    case AddOnResource::AddOns:
      return {add_on, "v1alpha1", "clustermanagementaddons"};
    case AddOnResource::Managed:
      return {add_on, "v1alpha1", "managedclusteraddons"};
    case AddOnResource::Templates:
      return {add_on, "v1alpha1", "addontemplates"};
    case AddOnResource::Configs:
      return {add_on, "v1alpha1", "addondeploymentconfigs"};
    case AddOnResource::Placements:
      return {kCluster, "v1beta1", "placements"};
    case AddOnResource::Decisions:
      return {kCluster, "v1beta1", "placementdecisions"};
    case AddOnResource::Clusters:
      return {kCluster, "v1", "managedclusters"};
    case AddOnResource::Works:
      return {"work.open-cluster-management.io", "v1", "manifestworks"};
    case AddOnResource::Bindings:
      return {"rbac.authorization.k8s.io", "v1", "rolebindings"};
    case AddOnResource::Requests:
      return {"certificates.k8s.io", "v1", "certificatesigningrequests"};
  }
  CHECK(false);
}

std::vector<FollowedResource> resources_of(std::span<const AddOnResource> kinds) {
  std::vector<FollowedResource> resources;
  for (const AddOnResource kind : kinds) resources.emplace_back(kind, resource_of(kind));
  return resources;
}

std::map<std::string, client::ObjectPtr> managed_of(const client::Store& managed,
                                                    std::string_view add_on) {
  std::map<std::string, client::ObjectPtr> found;
  for (const client::ObjectPtr& object : managed.objects()) {
    if (object->name() == add_on) found.emplace(object->ns(), object);
  }
  return found;
}

PlacementView placement_in(const AddOnFollowed& followed, const ObjectName& name) {
  const client::ObjectPtr placement = followed.store(AddOnResource::Placements)
                                          .find({.ns = name.object_namespace, .name = name.name});
  if (!placement) return view_placement(nullptr, {});
  std::vector<client::ObjectPtr> held;
  std::vector<const json::Value*> decisions;
  for (client::ObjectPtr& decision :
       followed.store(AddOnResource::Decisions).in_namespace(name.object_namespace)) {
    if (api::read_facts(decision->body()).label(api::kPlacementLabel) != name.name) continue;
    decisions.push_back(&decision->body());
    held.push_back(std::move(decision));
  }
  return view_placement(&placement->body(), decisions);
}

bool BesideStatus::has_changed(const client::ObjectKey& key, const client::ObjectPtr& object) {
  if (!object) {
    known_.erase(key);
    return true;
  }
  // The generation counts changes of the spec.
  json::Value metadata = api::field(object->body(), "metadata");
  for (const std::string_view name : {"resourceVersion", "managedFields"}) metadata.erase(name);
  const std::size_t now = std::hash<std::string>()(json::print(metadata));
  const auto [known, is_new] = known_.try_emplace(key, now);
  return is_new || std::exchange(known->second, now) != now;
}

std::optional<ConfigState> ConfigHashes::find(const AddOnFollowed& followed, const ConfigKind& kind,
                                              const ObjectName& object) {
  AddOnResource resource = AddOnResource::Templates;
  if (kind == kAddOnDeploymentConfigs) {
    resource = AddOnResource::Configs;
  } else if (kind != kAddOnTemplates) {
    return std::nullopt;
  }
  const client::ObjectPtr found =
      followed.store(resource).find({.ns = object.object_namespace, .name = object.name});
  if (!found) {
    known_.erase({kind, object});
    return ConfigState();
  }
  Known& known = known_[{kind, object}];
  if (known.version != found->resource_version() || known.hash.empty()) {
    known = {std::string(found->resource_version()), spec_hash(found->body())};
  }
  return ConfigState{.hash = known.hash, .generation = api::read_facts(found->body()).generation};
}

}  // namespace berth::fleet

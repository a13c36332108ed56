#include "fleet/addons/add_on.h"

#include <algorithm>

namespace berth::fleet {
namespace {

constexpr std::string_view kKind = "ClusterManagementAddOn";

std::string_view api_group(std::string_view api_version) {
  const std::size_t slash = api_version.find('/');
  return slash == std::string_view::npos ? "" : api_version.substr(0, slash);
}

}  // namespace

AddOn read_add_on(const json::Value& object) {
  AddOn add_on{.facts = api::read_facts(object)};
  const std::string_view lifecycle = add_on.facts.annotation(kLifecycleAnnotation);
  add_on.is_ours = lifecycle.empty() || lifecycle == "addon-manager";
  const json::Value& spec = api::field(object, "spec");
  for (const json::Value& config : api::elements_field(spec, "supportedConfigs")) {
    const ConfigKind kind{api::text_field(config, "group"), api::text_field(config, "resource")};
    add_on.has_template = add_on.has_template || kind == kAddOnTemplates;
    json::Value whole = api::field(config, "defaultConfig");
    if (!whole.is_object()) continue;
    whole["group"] = kind.group;
    whole["resource"] = kind.resource;
    if (auto read = read_config(whole)) add_on.defaults.push_back(*std::move(read));
  }
  const json::Value& strategy = api::field(spec, "installStrategy");
  if (api::text_field(strategy, "type") != "Placements") return add_on;
  add_on.install = AddOnInstall::Placements;
  for (const json::Value& placement : api::elements_field(strategy, "placements")) {
    add_on.placements.push_back(
        {.placement = read_object_name(placement),
         .configs = read_configs(api::elements_field(placement, "configs")),
         .rollout = read_rollout_strategy(api::field(placement, "rolloutStrategy"))});
  }
  return add_on;
}

api::OwnerReference owner_reference_to(const AddOn& add_on) {
  return {.api_version = std::string(kAddOnApiVersion),
          .kind = std::string(kKind),
          .name = add_on.facts.name,
          .uid = add_on.facts.uid,
          .is_controller = true,
          .blocks_owner_deletion = true};
}

json::Value with_owner(json::Value object, const api::OwnerReference& owner) {
  json::Value& references = object["metadata"]["ownerReferences"];
  if (!references.is_array()) references = json::Value::array();
  for (json::Value& known : references.elements()) {
    const auto reference = api::OwnerReference::from_json(known);
    if (reference.kind != owner.kind || reference.name != owner.name) continue;
    if (api_group(reference.api_version) != api_group(owner.api_version)) continue;
    if (reference != owner) known = owner.to_json();
    return object;
  }
  references.push_back(owner.to_json());
  return object;
}

bool is_owned_by_add_on(const json::Value& managed) {
  const api::Metadata metadata(managed);
  return std::ranges::any_of(metadata.owner_references(), [&](const auto& owner) {
    return owner.kind == kKind && owner.name == metadata.name();
  });
}

}  // namespace berth::fleet

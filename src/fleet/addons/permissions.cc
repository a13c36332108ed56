#include "fleet/addons/permissions.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "base/strings.h"

namespace berth::fleet {
namespace {

using json::Value;

constexpr std::string_view kRbac = "rbac.authorization.k8s.io";

struct Permission {
  std::string object_namespace;
  std::string role_kind;
  std::string role;
  bool is_own_namespace = false;
};

Result<Permission> read_permission(const Value& permission, const AddOnKey& key) {
  const std::string type = api::text_field(permission, "type");
  if (type == "CurrentCluster") {
    const Value& current = api::field(permission, "currentCluster");
    const std::string role = api::text_field(current, "clusterRoleName");
    if (role.empty()) {
      return failure(Code::Invalid,
                     "current cluster is required when the HubPermission type is CurrentCluster");
    }
    return Permission{key.cluster, "ClusterRole", role, true};
  }
  const Value& single = api::field(permission, "singleNamespace");
  const Value& role = api::field(single, "roleRef");
  Permission read{api::text_field(single, "namespace"), api::text_field(role, "kind"),
                  api::text_field(role, "name"), false};
  if (type != "SingleNamespace" || read.object_namespace.empty() || read.role.empty()) {
    return failure(Code::Invalid,
                   "single namespace is required when the HubPermission type is SingleNamespace");
  }
  return read;
}

Result<std::vector<Permission>> read_permissions(const PermissionsView& view) {
  std::vector<Permission> all;
  const Value& spec = api::field(view.add_on_template, "spec");
  for (const Value& registration : api::elements_field(spec, "registration")) {
    if (api::text_field(registration, "type") != "KubeClient") continue;
    const Value& client = api::field(registration, "kubeClient");
    for (const Value& permission : api::elements_field(client, "hubPermissions")) {
      ASSIGN_OR_RETURN(Permission read, read_permission(permission, view.key));
      all.push_back(std::move(read));
    }
  }
  return all;
}

// OCM's name where only one permission can have it. Where it has several that would collide on one
// name, or shares the namespace with other clusters, the role and the cluster tell them apart.
std::string binding_name(const Permission& permission, const AddOnKey& key, std::size_t alike) {
  std::string name = fmt::format("open-cluster-management:{}:{}:agent", key.name,
                                 lower_ascii(permission.role_kind));
  if (!permission.is_own_namespace) name += ":" + key.cluster;
  if (alike > 1) name += ":" + permission.role;
  return name;
}

Value subject(std::string_view kind, const std::string& name) {
  return Value::object({{"kind", kind}, {"apiGroup", kRbac}, {"name", name}});
}

Value make_binding(const Permission& permission, const PermissionsView& view,
                   const std::string& name) {
  Value metadata = Value::object(
      {{"name", name},
       {"namespace", permission.object_namespace},
       {"labels", Value::object({{kAddonNameLabel, view.key.name}, {kAddOnTemplateLabel, ""}})}});
  if (permission.is_own_namespace) {
    const api::OwnerReference owner{.api_version = std::string(kAddOnApiVersion),
                                    .kind = "ManagedClusterAddOn",
                                    .name = view.key.name,
                                    .uid = view.uid};
    metadata["ownerReferences"] = Value::array({owner.to_json()});
  } else {
    metadata["labels"][kClusterNameLabel] = view.key.cluster;
  }
  return Value::object(
      {{"apiVersion", fmt::format("{}/v1", kRbac)},
       {"kind", "RoleBinding"},
       {"metadata", std::move(metadata)},
       {"roleRef",
        Value::object(
            {{"apiGroup", kRbac}, {"kind", permission.role_kind}, {"name", permission.role}})},
       {"subjects", Value::array({subject("User", add_on_user(view.key)),
                                  subject("Group", add_on_cluster_group(view.key))})}});
}

// The binding with what we say in it; what others put on it stays.
Value updated(Value existing, const Value& wanted) {
  const Value& metadata = api::field(wanted, "metadata");
  for (const json::Member& label : api::field(metadata, "labels").members()) {
    existing["metadata"]["labels"][label.name()] = label.value;
  }
  if (const Value* owners = metadata.find("ownerReferences")) {
    existing["metadata"]["ownerReferences"] = *owners;
  }
  existing["subjects"] = api::field(wanted, "subjects");
  return existing;
}

}  // namespace

Result<std::vector<Value>> wanted_bindings(const PermissionsView& view) {
  ASSIGN_OR_RETURN(const std::vector<Permission> permissions, read_permissions(view));
  std::map<std::pair<std::string, std::string>, std::size_t> alike;
  for (const Permission& each : permissions) ++alike[{each.object_namespace, each.role_kind}];
  std::vector<Value> bindings;
  for (const Permission& each : permissions) {
    const std::string name =
        binding_name(each, view.key, alike[{each.object_namespace, each.role_kind}]);
    Value binding = make_binding(each, view, name);
    if (std::ranges::find(bindings, binding) == bindings.end()) {
      bindings.push_back(std::move(binding));
    }
  }
  return bindings;
}

std::vector<AddOnChange> plan_bindings(std::span<const Value> wanted,
                                       std::span<const Value* const> existing) {
  const auto find = [](auto& all, const Value& binding) {
    return std::ranges::find_if(all, [&](const auto& other) {
      if constexpr (std::is_pointer_v<std::remove_cvref_t<decltype(other)>>) {
        return api::Metadata(*other).key() == api::Metadata(binding).key();
      } else {
        return api::Metadata(other).key() == api::Metadata(binding).key();
      }
    });
  };
  std::vector<AddOnChange> changes;
  for (const Value* binding : existing) {
    if (find(wanted, *binding) == wanted.end()) changes.push_back({.before = binding});
  }
  for (const Value& binding : wanted) {
    const auto known = find(existing, binding);
    if (known == existing.end()) {
      changes.push_back({.after = binding});
      continue;
    }
    if (api::field(**known, "roleRef") != api::field(binding, "roleRef")) {
      changes.push_back({.before = *known});
      changes.push_back({.after = binding});
      continue;
    }
    Value after = updated(**known, binding);
    if (after != **known) changes.push_back({.before = *known, .after = std::move(after)});
  }
  return changes;
}

AddOnKey add_on_of_binding(const Value& binding) {
  const api::ObjectFacts facts = api::read_facts(binding);
  const api::Metadata metadata(binding);
  if (!metadata.labels().has(kAddOnTemplateLabel)) return {};
  const std::string_view cluster = facts.label(kClusterNameLabel);
  return {.cluster = cluster.empty() ? facts.object_namespace : std::string(cluster),
          .name = std::string(facts.label(kAddonNameLabel))};
}

}  // namespace berth::fleet

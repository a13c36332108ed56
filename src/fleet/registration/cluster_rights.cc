#include "fleet/registration/cluster_rights.h"

#include <algorithm>
#include <initializer_list>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "fleet/registration/names.h"

namespace berth::fleet {
namespace {

using json::Value;
using Words = std::initializer_list<std::string_view>;

constexpr std::string_view kRbac = "rbac.authorization.k8s.io";
constexpr std::string_view kBootstrapRole = "open-cluster-management:bootstrap";

Value list_of(Words words) {
  Value list = Value::array();
  for (const std::string_view word : words) list.push_back(word);
  return list;
}

Value rule(Words groups, Words resources, Words verbs) {
  return Value::object({{"apiGroups", list_of(groups)},
                        {"resources", list_of(resources)},
                        {"verbs", list_of(verbs)}});
}

Value rule_for(std::string_view name, Words groups, Words resources, Words verbs) {
  Value limited = rule(groups, resources, verbs);
  limited["resourceNames"] = Value::array({name});
  return limited;
}

Value role(std::string_view name, std::string_view cluster, Value rules) {
  return Value::object(
      {{"apiVersion", "rbac.authorization.k8s.io/v1"},
       {"kind", "ClusterRole"},
       {"metadata",
        Value::object({{"name", name}, {"labels", Value::object({{kClusterNameLabel, cluster}})}})},
       {"rules", std::move(rules)}});
}

Value binding(std::string_view kind, std::string_view name, std::string_view role_name) {
  return Value::object(
      {{"apiVersion", "rbac.authorization.k8s.io/v1"},
       {"kind", kind},
       {"metadata", Value::object({{"name", name}})},
       {"roleRef",
        Value::object({{"apiGroup", kRbac}, {"kind", "ClusterRole"}, {"name", role_name}})}});
}

// The second is the group of agents that do not authenticate by certificate.
Value agents_of(std::string_view cluster) {
  Value subjects = Value::array();
  for (const std::string& group :
       {group_of(cluster), fmt::format("open-cluster-management:{}", cluster)}) {
    subjects.push_back(Value::object({{"kind", "Group"}, {"apiGroup", kRbac}, {"name", group}}));
  }
  return subjects;
}

Value binding_in_cluster(std::string_view cluster, std::string_view name,
                         std::string_view role_name) {
  Value bound = binding("RoleBinding", name, role_name);
  bound["metadata"]["namespace"] = cluster;
  bound["metadata"]["labels"] = Value::object({{kClusterNameLabel, cluster}});
  bound["subjects"] = agents_of(cluster);
  return bound;
}

}  // namespace

std::string cluster_role_name(std::string_view cluster) {
  return fmt::format("open-cluster-management:managedcluster:{}", cluster);
}

std::string registration_binding_name(std::string_view cluster) {
  return fmt::format("open-cluster-management:managedcluster:{}:registration", cluster);
}

std::string work_binding_name(std::string_view cluster) {
  return fmt::format("open-cluster-management:managedcluster:{}:work", cluster);
}

Value cluster_role(std::string_view cluster, Acceptance acceptance) {
  constexpr std::string_view kGroup = "cluster.open-cluster-management.io";
  Value rules = Value::array();
  if (acceptance == Acceptance::Denied) {
    rules.push_back(rule_for(cluster, {kGroup}, {"managedclusters"}, {"get", "list", "watch"}));
    return role(cluster_role_name(cluster), cluster, std::move(rules));
  }
  rules.push_back(rule({"certificates.k8s.io"}, {"certificatesigningrequests"},
                       {"create", "get", "list", "watch"}));
  rules.push_back(rule({"register.open-cluster-management.io"},
                       {"managedclusters/clientcertificates"}, {"renew"}));
  rules.push_back(
      rule_for(cluster, {kGroup}, {"managedclusters"}, {"get", "list", "update", "watch"}));
  rules.push_back(rule_for(cluster, {kGroup}, {"managedclusters/status"}, {"patch", "update"}));
  return role(cluster_role_name(cluster), cluster, std::move(rules));
}

Value cluster_role_binding(std::string_view cluster) {
  const std::string name = cluster_role_name(cluster);
  Value bound = binding("ClusterRoleBinding", name, name);
  bound["metadata"]["labels"] = Value::object({{kClusterNameLabel, cluster}});
  bound["subjects"] = agents_of(cluster);
  return bound;
}

Value registration_binding(std::string_view cluster) {
  return binding_in_cluster(cluster, registration_binding_name(cluster), kRegistrationRole);
}

Value work_binding(std::string_view cluster) {
  Value bound = binding_in_cluster(cluster, work_binding_name(cluster), kWorkRole);
  bound["metadata"]["finalizers"] = Value::array({kWorkFinalizer});
  return bound;
}

Value registration_role() {
  constexpr std::string_view kGroup = "addon.open-cluster-management.io";
  return role(
      kRegistrationRole, "",
      Value::array({rule({"coordination.k8s.io"}, {"leases"}, {"get", "list", "watch", "update"}),
                    rule({kGroup}, {"managedclusteraddons"}, {"get", "list", "watch"}),
                    rule({kGroup}, {"managedclusteraddons/status"}, {"patch", "update"}),
                    rule({"events.k8s.io"}, {"events"}, {"create"})}));
}

Value work_role() {
  constexpr std::string_view kGroup = "work.open-cluster-management.io";
  return role(
      kWorkRole, "",
      Value::array({rule({"", "events.k8s.io"}, {"events"}, {"create", "patch", "update"}),
                    rule({kGroup}, {"manifestworks"}, {"get", "list", "watch", "update", "patch"}),
                    rule({kGroup}, {"manifestworks/status"}, {"patch", "update"})}));
}

Value bootstrap_account() {
  return Value::object(
      {{"apiVersion", "v1"},
       {"kind", "ServiceAccount"},
       {"metadata", Value::object({{"name", kBootstrapAccount}, {"namespace", kHubNamespace}})}});
}

Value bootstrap_role() {
  constexpr std::string_view kGroup = "cluster.open-cluster-management.io";
  return Value::object(
      {{"apiVersion", "rbac.authorization.k8s.io/v1"},
       {"kind", "ClusterRole"},
       {"metadata", Value::object({{"name", kBootstrapRole}})},
       {"rules",
        Value::array({rule({""}, {"configmaps"}, {"get"}),
                      rule({"certificates.k8s.io"}, {"certificatesigningrequests"},
                           {"create", "get", "list", "watch"}),
                      rule({kGroup}, {"managedclusters"}, {"get", "create", "list", "watch"}),
                      rule({kGroup}, {"managedclustersets/join"}, {"create"})})}});
}

Value bootstrap_binding() {
  Value bound = binding("ClusterRoleBinding",
                        "open-cluster-management:bootstrap:agent-registration", kBootstrapRole);
  bound["subjects"] = Value::array({Value::object(
      {{"kind", "ServiceAccount"}, {"name", kBootstrapAccount}, {"namespace", kHubNamespace}})});
  return bound;
}

std::optional<Value> as_wanted(const Value& existing, const Value& wanted) {
  const Value* role_ref = wanted.find("roleRef");
  if (role_ref && api::field(existing, "roleRef") != *role_ref) return std::nullopt;
  Value object = existing;
  for (const std::string_view name : {"rules", "subjects"}) {
    if (const Value* part = wanted.find(name)) object[name] = *part;
  }
  const Value& metadata = api::field(wanted, "metadata");
  for (const json::Member& label : api::field(metadata, "labels").members()) {
    object["metadata"]["labels"][label.name()] = label.value;
  }
  for (const Value& finalizer : api::elements_field(metadata, "finalizers")) {
    Value& finalizers = object["metadata"]["finalizers"];
    const auto same = [&finalizer](const Value& other) { return other == finalizer; };
    if (std::ranges::none_of(finalizers.elements(), same)) finalizers.push_back(finalizer);
  }
  return object;
}

}  // namespace berth::fleet

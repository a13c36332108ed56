#include "apiserver/auth/default_roles.h"

#include <string>
#include <string_view>

#include "apiserver/auth/aggregation.h"
#include "apiserver/auth/rbac.h"
#include "json/parse.h"

namespace berth::apiserver {
namespace {

struct RoleText {
  std::string_view name;
  std::string_view rules;          // JSON; empty of those that gather.
  std::string_view gathers = {};   // "view": what is labelled aggregate-to-view.
  std::string_view given_to = {};  // "edit": it is labelled aggregate-to-edit.
};

constexpr RoleText kRoles[] = {
    {"cluster-admin",
     R"([{"verbs":["*"],"apiGroups":["*"],"resources":["*"]},{"verbs":["*"],"nonResourceURLs":["*"]}])"},
    {"admin", "", "admin"},
    {"edit", "", "edit", "admin"},
    {"view", "", "view", "edit"},
    {"system:aggregate-to-admin", R"([
      {"verbs":["create"],"apiGroups":["authorization.k8s.io"],"resources":["localsubjectaccessreviews"]},
      {"verbs":["create","delete","deletecollection","get","list","patch","update","watch"],
       "apiGroups":["rbac.authorization.k8s.io"],"resources":["roles","rolebindings"]}])",
     "", "admin"},
    {"system:aggregate-to-edit", R"([
      {"verbs":["get","list","watch"],"apiGroups":[""],
       "resources":["pods/attach","pods/exec","pods/portforward","pods/proxy","secrets","services/proxy"]},
      {"verbs":["impersonate"],"apiGroups":[""],"resources":["serviceaccounts"]},
      {"verbs":["create","delete","deletecollection","patch","update"],"apiGroups":[""],
       "resources":["pods","pods/attach","pods/exec","pods/portforward","pods/proxy"]},
      {"verbs":["create"],"apiGroups":[""],"resources":["pods/eviction","serviceaccounts/token"]},
      {"verbs":["create","delete","deletecollection","patch","update"],"apiGroups":[""],
       "resources":["configmaps","events","persistentvolumeclaims","replicationcontrollers",
                    "replicationcontrollers/scale","secrets","serviceaccounts","services","services/proxy"]},
      {"verbs":["create","delete","deletecollection","patch","update"],"apiGroups":["apps"],
       "resources":["daemonsets","deployments","deployments/rollback","deployments/scale","replicasets",
                    "replicasets/scale","statefulsets","statefulsets/scale"]},
      {"verbs":["create","delete","deletecollection","patch","update"],"apiGroups":["autoscaling"],
       "resources":["horizontalpodautoscalers"]},
      {"verbs":["create","delete","deletecollection","patch","update"],"apiGroups":["batch"],
       "resources":["cronjobs","jobs"]},
      {"verbs":["create","delete","deletecollection","patch","update"],"apiGroups":["policy"],
       "resources":["poddisruptionbudgets"]},
      {"verbs":["create","delete","deletecollection","patch","update"],"apiGroups":["networking.k8s.io"],
       "resources":["ingresses","networkpolicies"]},
      {"verbs":["create","delete","deletecollection","get","list","patch","update","watch"],
       "apiGroups":["coordination.k8s.io"],"resources":["leases"]}])",
     "", "edit"},
    {"system:aggregate-to-view", R"([
      {"verbs":["get","list","watch"],"apiGroups":[""],
       "resources":["bindings","configmaps","endpoints","events","limitranges","namespaces",
                    "namespaces/status","persistentvolumeclaims","persistentvolumeclaims/status","pods",
                    "pods/log","pods/status","replicationcontrollers","replicationcontrollers/scale",
                    "replicationcontrollers/status","resourcequotas","resourcequotas/status",
                    "serviceaccounts","services","services/status"]},
      {"verbs":["get","list","watch"],"apiGroups":["discovery.k8s.io"],"resources":["endpointslices"]},
      {"verbs":["get","list","watch"],"apiGroups":["apps"],
       "resources":["controllerrevisions","daemonsets","daemonsets/status","deployments",
                    "deployments/scale","deployments/status","replicasets","replicasets/scale",
                    "replicasets/status","statefulsets","statefulsets/scale","statefulsets/status"]},
      {"verbs":["get","list","watch"],"apiGroups":["autoscaling"],
       "resources":["horizontalpodautoscalers","horizontalpodautoscalers/status"]},
      {"verbs":["get","list","watch"],"apiGroups":["batch"],
       "resources":["cronjobs","cronjobs/status","jobs","jobs/status"]},
      {"verbs":["get","list","watch"],"apiGroups":["policy"],
       "resources":["poddisruptionbudgets","poddisruptionbudgets/status"]},
      {"verbs":["get","list","watch"],"apiGroups":["networking.k8s.io"],
       "resources":["ingresses","ingresses/status","networkpolicies"]}])",
     "", "view"},
    {"system:auth-delegator", R"([
      {"verbs":["create"],"apiGroups":["authentication.k8s.io"],"resources":["tokenreviews"]},
      {"verbs":["create"],"apiGroups":["authorization.k8s.io"],"resources":["subjectaccessreviews"]}])"},
    {"system:basic-user", R"([
      {"verbs":["create"],"apiGroups":["authorization.k8s.io"],
       "resources":["selfsubjectaccessreviews","selfsubjectrulesreviews"]},
      {"verbs":["create"],"apiGroups":["authentication.k8s.io"],"resources":["selfsubjectreviews"]}])"},
    {"system:discovery", R"([{"verbs":["get"],
      "nonResourceURLs":["/api","/api/*","/apis","/apis/*","/healthz","/livez","/openapi","/openapi/*",
                         "/readyz","/version","/version/"]}])"},
    {"system:public-info-viewer", R"([{"verbs":["get"],
      "nonResourceURLs":["/healthz","/livez","/readyz","/version","/version/"]}])"},
};

struct BindingText {
  std::string_view role;  // And its own name.
  std::vector<std::string_view> groups;
};

json::Value metadata_of(std::string_view name) {
  return json::Value::object(
      {{"name", name},
       {"labels", json::Value::object({{"kubernetes.io/bootstrapping", "rbac-defaults"}})},
       {"annotations",
        json::Value::object({{"rbac.authorization.kubernetes.io/autoupdate", "true"}})}});
}

std::string label_for(std::string_view role) {
  return std::string(kRbacGroup).append("/aggregate-to-").append(role);
}

json::Value role_of(const RoleText& text) {
  json::Value role = json::Value::object({{"apiVersion", std::string(kRbacGroup) + "/v1"},
                                          {"kind", "ClusterRole"},
                                          {"metadata", metadata_of(text.name)}});
  if (!text.given_to.empty()) role["metadata"]["labels"][label_for(text.given_to)] = "true";
  if (!text.gathers.empty()) {
    json::Value selector = json::Value::object(
        {{"matchLabels", json::Value::object({{label_for(text.gathers), "true"}})}});
    role["aggregationRule"]["clusterRoleSelectors"] = json::Value::array({std::move(selector)});
  }
  role["rules"] = text.rules.empty() ? json::Value::array() : json::parse(text.rules).value();
  return role;
}

// For servers that tell their clients as the hub does.
json::Value authentication_reader() {
  json::Value role =
      json::Value::object({{"apiVersion", std::string(kRbacGroup) + "/v1"},
                           {"kind", "Role"},
                           {"metadata", metadata_of("extension-apiserver-authentication-reader")}});
  role["metadata"]["namespace"] = "kube-system";
  role["rules"] = json::parse(R"([{"verbs":["get","list","watch"],"apiGroups":[""],
      "resources":["configmaps"],"resourceNames":["extension-apiserver-authentication"]}])")
                      .value();
  return role;
}

json::Value binding_of(const BindingText& text) {
  json::Value subjects = json::Value::array();
  for (const std::string_view group : text.groups) {
    subjects.push_back(
        json::Value::object({{"kind", "Group"}, {"apiGroup", kRbacGroup}, {"name", group}}));
  }
  return json::Value::object(
      {{"apiVersion", std::string(kRbacGroup) + "/v1"},
       {"kind", "ClusterRoleBinding"},
       {"metadata", metadata_of(text.role)},
       {"roleRef", json::Value::object(
                       {{"apiGroup", kRbacGroup}, {"kind", "ClusterRole"}, {"name", text.role}})},
       {"subjects", std::move(subjects)}});
}

}  // namespace

std::vector<json::Value> default_roles() {
  std::vector<json::Value> roles;
  for (const RoleText& text : kRoles) roles.push_back(role_of(text));
  roles = aggregate_all(std::move(roles));
  roles.push_back(authentication_reader());
  return roles;
}

std::vector<json::Value> default_bindings() {
  const BindingText bindings[] = {
      {"cluster-admin", {kMasters}},
      {"system:basic-user", {kAuthenticated}},
      {"system:discovery", {kAuthenticated}},
      {"system:public-info-viewer", {kAuthenticated, kUnauthenticated}},
  };
  std::vector<json::Value> objects;
  for (const BindingText& text : bindings) objects.push_back(binding_of(text));
  return objects;
}

}  // namespace berth::apiserver

#include "apiserver/auth/testing/random_rbac.h"

namespace berth::apiserver::testing {
namespace {

constexpr std::string_view kVersion = "rbac.authorization.k8s.io/v1";
constexpr std::string_view kGroup = "rbac.authorization.k8s.io";

}  // namespace

json::Value RandomRbac::some_of(const Words& words, std::size_t at_least) {
  json::Value list = json::Value::array();
  const std::size_t count = at_least + random_.below(3);
  for (std::size_t i = 0; i < count; ++i) list.push_back(one_of(words));
  return list;
}

json::Value RandomRbac::rule(std::string_view role_kind) {
  const Words verbs = {"get", "list", "watch", "update", "*"};
  if (role_kind == "ClusterRole" && random_.chance(0.3)) {
    const Words urls = {"/healthz", "/livez/*", "/metrics", "/a/b", "/a/*", "*"};
    return json::Value::object(
        {{"verbs", some_of(verbs, 1)}, {"nonResourceURLs", some_of(urls, 1)}});
  }
  const Words resources = {"pods",     "pods/log", "*/log",          "secrets",
                           "*/status", "*",        "managedclusters"};
  json::Value rule = json::Value::object(
      {{"verbs", some_of(verbs, 1)},
       {"apiGroups", some_of({"", "apps", "cluster.open-cluster-management.io", "*"}, 1)},
       {"resources", some_of(resources, 1)}});
  if (random_.chance(0.4)) rule.append_member("resourceNames", some_of({"a", "b", "c"}, 1));
  return rule;
}

json::Value RandomRbac::role(std::string_view kind, std::uint64_t number, std::string ns) {
  json::Value metadata = json::Value::object({{"name", "t-" + std::to_string(number)}});
  if (!ns.empty()) metadata.append_member("namespace", ns);
  json::Value rules = json::Value::array();
  const std::uint64_t count = random_.below(3) + (random_.chance(0.9) ? 1 : 0);
  for (std::uint64_t i = 0; i < count; ++i) rules.push_back(rule(kind));
  return json::Value::object({{"apiVersion", kVersion},
                              {"kind", kind},
                              {"metadata", std::move(metadata)},
                              {"rules", std::move(rules)}});
}

json::Value RandomRbac::binding(std::string_view kind, std::uint64_t number, std::string ns) {
  json::Value metadata = json::Value::object({{"name", "t-" + std::to_string(number)}});
  if (!ns.empty()) metadata.append_member("namespace", ns);
  const bool to_cluster_role = ns.empty() || random_.chance(0.5);
  json::Value subjects = json::Value::array();
  for (std::uint64_t i = random_.below(3); i < 3; ++i) {
    const std::string_view subject = one_of({"User", "Group", "ServiceAccount"});
    json::Value one = json::Value::object({{"kind", subject}});
    if (subject == "ServiceAccount") {
      one.append_member("name", one_of({"app", "agent"}));
      one.append_member("namespace", some_namespace());
    } else {
      one.append_member("apiGroup", kGroup);
      one.append_member("name", subject == "User"
                                    ? one_of({"jane", "joe", "ann"})
                                    : one_of({"devs", "ops", "system:authenticated"}));
    }
    subjects.push_back(std::move(one));
  }
  return json::Value::object(
      {{"apiVersion", kVersion},
       {"kind", kind},
       {"metadata", std::move(metadata)},
       {"roleRef", json::Value::object({{"apiGroup", kGroup},
                                        {"kind", to_cluster_role ? "ClusterRole" : "Role"},
                                        {"name", "t-" + std::to_string(random_.below(12))}})},
       {"subjects", std::move(subjects)}});
}

std::vector<json::Value> RandomRbac::objects() {
  std::vector<json::Value> objects;
  for (std::uint64_t i = 0; i < 10; ++i) objects.push_back(role("ClusterRole", i, ""));
  for (std::uint64_t i = 0; i < 6; ++i) objects.push_back(binding("ClusterRoleBinding", i, ""));
  for (std::uint64_t ns = 0; ns < 3; ++ns) {
    const std::string name = "ns-" + std::to_string(ns);
    for (std::uint64_t i = 0; i < 6; ++i) objects.push_back(role("Role", i, name));
    for (std::uint64_t i = 0; i < 5; ++i) objects.push_back(binding("RoleBinding", i, name));
  }
  return objects;
}

std::pair<User, Attributes> RandomRbac::question() {
  User user{.name = std::string(one_of({"jane", "joe", "ann", "nobody"}))};
  if (random_.chance(0.4)) {
    user.name = "system:serviceaccount:" + some_namespace() + ":" +
                std::string(one_of({"app", "agent", "other"}));
  }
  for (const std::string_view group : {"devs", "ops", "system:authenticated"}) {
    if (random_.chance(0.4)) user.groups.emplace_back(group);
  }
  if (random_.chance(0.02)) user.groups.emplace_back("system:masters");
  const std::string verb(one_of({"get", "list", "watch", "update", "delete"}));
  if (random_.chance(0.2)) {
    const Words paths = {"/healthz", "/livez/ping", "/a", "/a/b", "/a/b/c", "/x"};
    return {user, {.verb = verb, .is_resource = false, .path = std::string(one_of(paths))}};
  }
  return {user,
          {.verb = verb,
           .group = std::string(one_of({"", "apps", "cluster.open-cluster-management.io"})),
           .version = "v1",
           .resource = std::string(one_of({"pods", "secrets", "managedclusters"})),
           .subresource = std::string(one_of({"", "", "log", "status"})),
           .ns = random_.chance(0.7) ? some_namespace() : "",
           .name = std::string(one_of({"", "a", "b", "z"}))}};
}

}  // namespace berth::apiserver::testing

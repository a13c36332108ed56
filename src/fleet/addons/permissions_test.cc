#include "fleet/addons/permissions.h"

#include <gtest/gtest.h>

#include "api/metadata.h"
#include "base/strings.h"
#include "json/parse.h"

namespace berth::fleet {
namespace {

json::Value with_permissions(std::string_view permissions) {
  return json::parse(
             R"({"spec":{"registration":[{"type":"KubeClient","kubeClient":{"hubPermissions":)" +
             std::string(permissions) + "}}]}}")
      .value();
}

const AddOnKey kKey{.cluster = "c1", .name = "score"};
constexpr std::string_view kCurrent =
    R"([{"type":"CurrentCluster","currentCluster":{"clusterRoleName":"r"}}])";

std::vector<json::Value> wanted(std::string_view permissions) {
  return wanted_bindings(
             {.key = kKey, .uid = "u", .add_on_template = with_permissions(permissions)})
      .value();
}

std::string names(const std::vector<json::Value>& bindings) {
  std::vector<std::string> all;
  for (const json::Value& binding : bindings) all.push_back(api::Metadata(binding).key().text());
  return join(all, " ");
}

TEST(HubPermissions, BindTheRoleInTheClustersNamespaceToItsAgentAlone) {
  const auto bindings = wanted(kCurrent);
  ASSERT_EQ(bindings.size(), 1u);
  EXPECT_EQ(bindings[0], json::parse(R"({"apiVersion":"rbac.authorization.k8s.io/v1",
      "kind":"RoleBinding","metadata":{"name":"open-cluster-management:score:clusterrole:agent",
        "namespace":"c1","labels":{"open-cluster-management.io/addon-name":"score",
          "open-cluster-management.io/addon-template-name":""},
        "ownerReferences":[{"apiVersion":"addon.open-cluster-management.io/v1alpha1",
          "kind":"ManagedClusterAddOn","name":"score","uid":"u"}]},
      "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"r"},
      "subjects":[
        {"kind":"User","apiGroup":"rbac.authorization.k8s.io",
         "name":"system:open-cluster-management:cluster:c1:addon:score:agent:score-agent"},
        {"kind":"Group","apiGroup":"rbac.authorization.k8s.io",
         "name":"system:open-cluster-management:cluster:c1:addon:score"}]})")
                             .value());
  EXPECT_EQ(add_on_of_binding(bindings[0]), kKey);
}

TEST(HubPermissions, HaveNamesThatDoNotCollide) {
  EXPECT_EQ(names(wanted(R"([
      {"type":"CurrentCluster","currentCluster":{"clusterRoleName":"a"}},
      {"type":"CurrentCluster","currentCluster":{"clusterRoleName":"b"}},
      {"type":"CurrentCluster","currentCluster":{"clusterRoleName":"b"}},
      {"type":"SingleNamespace","singleNamespace":{"namespace":"shared",
       "roleRef":{"kind":"Role","name":"x"}}}])")),
            "c1/open-cluster-management:score:clusterrole:agent:a "
            "c1/open-cluster-management:score:clusterrole:agent:b "
            "shared/open-cluster-management:score:role:agent:c1");
}

TEST(HubPermissions, InOtherNamespacesRememberTheirCluster) {
  const auto bindings = wanted(R"([{"type":"SingleNamespace","singleNamespace":{
      "namespace":"shared","roleRef":{"kind":"Role","name":"x"}}}])");
  EXPECT_EQ(add_on_of_binding(bindings[0]), kKey);
  EXPECT_TRUE(api::Metadata(bindings[0]).owner_references().empty());
  EXPECT_EQ(add_on_of_binding(json::parse(R"({"metadata":{"name":"b","namespace":"c1"}})").value()),
            AddOnKey());
}

TEST(HubPermissions, SayWhatIsMissing) {
  const auto bad = wanted_bindings(
      {.key = kKey, .add_on_template = with_permissions(R"([{"type":"CurrentCluster"}])")});
  EXPECT_EQ(bad.error().message,
            "current cluster is required when the HubPermission type is CurrentCluster");
}

std::string text(const std::vector<AddOnChange>& changes) {
  std::string all;
  for (const AddOnChange& change : changes) {
    all += change.before ? (change.after ? "~" : "-") : "+";
  }
  return all;
}

TEST(PlanningBindings, CreatesUpdatesAndRemoves) {
  const auto bindings = wanted(kCurrent);
  EXPECT_EQ(text(plan_bindings(bindings, {})), "+");
  json::Value existing = bindings[0];
  const json::Value* pointers[] = {&existing};
  existing["metadata"]["annotations"]["theirs"] = "x";
  EXPECT_EQ(text(plan_bindings(bindings, pointers)), "");
  existing["subjects"] = json::Value::array();
  EXPECT_EQ(text(plan_bindings(bindings, pointers)), "~");
  EXPECT_EQ(text(plan_bindings({}, pointers)), "-");
}

TEST(PlanningBindings, MakesABindingToAnotherRoleAnew) {
  const auto bindings = wanted(kCurrent);
  json::Value existing = bindings[0];
  existing["roleRef"]["name"] = "old";
  const json::Value* pointers[] = {&existing};
  EXPECT_EQ(text(plan_bindings(bindings, pointers)), "-+");
}

}  // namespace
}  // namespace berth::fleet

#include "fleet/registration/cluster_rights.h"

#include <gtest/gtest.h>

#include "api/kinds/fields.h"
#include "json/parse.h"
#include "json/print.h"

namespace berth::fleet {
namespace {

using json::Value;

TEST(ClusterRights, LetAnAcceptedClusterDoWhatItNeedsAboutItself) {
  const Value role = cluster_role("paris", Acceptance::Accepted);
  EXPECT_EQ(api::read_facts(role).name, "open-cluster-management:managedcluster:paris");
  EXPECT_EQ(*role.find("rules"), json::parse(R"([
    {"apiGroups":["certificates.k8s.io"],"resources":["certificatesigningrequests"],
     "verbs":["create","get","list","watch"]},
    {"apiGroups":["register.open-cluster-management.io"],
     "resources":["managedclusters/clientcertificates"],"verbs":["renew"]},
    {"apiGroups":["cluster.open-cluster-management.io"],"resources":["managedclusters"],
     "resourceNames":["paris"],"verbs":["get","list","update","watch"]},
    {"apiGroups":["cluster.open-cluster-management.io"],"resources":["managedclusters/status"],
     "resourceNames":["paris"],"verbs":["patch","update"]}])")
                                     .value());
}

TEST(ClusterRights, LetADeniedClusterOnlyLookAtItself) {
  const Value role = cluster_role("paris", Acceptance::Denied);
  EXPECT_EQ(*role.find("rules"), json::parse(R"([
    {"apiGroups":["cluster.open-cluster-management.io"],"resources":["managedclusters"],
     "resourceNames":["paris"],"verbs":["get","list","watch"]}])")
                                     .value());
}

TEST(ClusterRights, BindTheGroupsOfTheClusterInItsNamespaceOnly) {
  const Value binding = work_binding("paris");
  EXPECT_EQ(json::print(binding),
            json::print(json::parse(R"({"apiVersion":"rbac.authorization.k8s.io/v1",
    "kind":"RoleBinding",
    "metadata":{"name":"open-cluster-management:managedcluster:paris:work","namespace":"paris",
      "labels":{"open-cluster-management.io/cluster-name":"paris"},
      "finalizers":["cluster.open-cluster-management.io/manifest-work-cleanup"]},
    "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole",
      "name":"open-cluster-management:managedcluster:work"},
    "subjects":[
      {"kind":"Group","apiGroup":"rbac.authorization.k8s.io",
       "name":"system:open-cluster-management:paris"},
      {"kind":"Group","apiGroup":"rbac.authorization.k8s.io",
       "name":"open-cluster-management:paris"}]})")
                            .value()));
  EXPECT_EQ(api::read_facts(registration_binding("paris")).object_namespace, "paris");
}

TEST(ClusterRights, KeepWhatOthersAddedToTheObjects) {
  Value existing = cluster_role("paris", Acceptance::Accepted);
  existing["metadata"]["labels"]["mine"] = "yes";
  existing["metadata"]["uid"] = "1";
  const Value denied = as_wanted(existing, cluster_role("paris", Acceptance::Denied)).value();
  EXPECT_EQ(api::read_facts(denied).label("mine"), "yes");
  EXPECT_EQ(denied.find("rules")->size(), 1U);
  EXPECT_EQ(as_wanted(denied, cluster_role("paris", Acceptance::Denied)), denied);
}

TEST(ClusterRights, GiveAWorkBindingItsFinalizerOnce) {
  Value existing = work_binding("paris");
  EXPECT_EQ(as_wanted(existing, work_binding("paris")), existing);
  existing["metadata"].erase("finalizers");
  EXPECT_EQ(as_wanted(existing, work_binding("paris")), work_binding("paris"));
}

TEST(ClusterRights, CannotTurnABindingToAnotherRole) {
  Value existing = work_binding("paris");
  existing["roleRef"]["name"] = "cluster-admin";
  EXPECT_EQ(as_wanted(existing, work_binding("paris")), std::nullopt);
}

TEST(BootstrapRights, AreEnoughToAskAndNoMore) {
  EXPECT_EQ(*bootstrap_role().find("rules"), json::parse(R"([
    {"apiGroups":[""],"resources":["configmaps"],"verbs":["get"]},
    {"apiGroups":["certificates.k8s.io"],"resources":["certificatesigningrequests"],
     "verbs":["create","get","list","watch"]},
    {"apiGroups":["cluster.open-cluster-management.io"],"resources":["managedclusters"],
     "verbs":["get","create","list","watch"]},
    {"apiGroups":["cluster.open-cluster-management.io"],
     "resources":["managedclustersets/join"],"verbs":["create"]}])")
                                                 .value());
}

}  // namespace
}  // namespace berth::fleet

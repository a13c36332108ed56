#include "apiserver/auth/snapshot_objects.h"

#include <gtest/gtest.h>

#include "apiserver/testing/test_hub.h"

namespace berth::apiserver {
namespace {

using testing::TestHub;

TEST(SnapshotObjects, FindsWhatTokensAreAbout) {
  TestHub hub;
  hub.post("/api/v1/namespaces/team/serviceaccounts", R"({"metadata":{"name":"app"}})");
  hub.post("/api/v1/namespaces/team/secrets", R"({"metadata":{"name":"s"}})");
  hub.post("/api/v1/nodes", R"({"metadata":{"name":"n"}})");
  hub.post("/api/v1/namespaces/team/pods",
           R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}]}})");
  const SnapshotObjects objects(hub.view().snapshot);
  EXPECT_TRUE(objects.find(TokenObject::ServiceAccount, "team", "app"));
  EXPECT_TRUE(objects.find(TokenObject::Secret, "team", "s"));
  EXPECT_TRUE(objects.find(TokenObject::Pod, "team", "p"));
  EXPECT_TRUE(objects.find(TokenObject::Node, "team", "n"));  // Nodes are in no namespace.
  EXPECT_FALSE(objects.find(TokenObject::ServiceAccount, "default", "app"));
}

TEST(SnapshotObjects, AllRolesAndBindingsCount) {
  TestHub hub;
  EXPECT_TRUE(rbac_objects(*hub.view().snapshot).empty());
  const std::string rbac = "/apis/rbac.authorization.k8s.io/v1/";
  hub.post(rbac + "clusterroles", R"({"metadata":{"name":"a"},"rules":[]})");
  hub.post(rbac + "namespaces/team/roles", R"({"metadata":{"name":"b"},"rules":[]})");
  const std::string role = R"("roleRef":{"apiGroup":"rbac.authorization.k8s.io",
                              "kind":"ClusterRole","name":"a"})";
  hub.post(rbac + "clusterrolebindings", R"({"metadata":{"name":"c"},)" + role + "}");
  hub.post(rbac + "namespaces/team/rolebindings", R"({"metadata":{"name":"d"},)" + role + "}");
  std::string kinds;
  for (const json::Value& object : rbac_objects(*hub.view().snapshot)) {
    kinds += std::string(object.find("kind")->string_or_empty()) + " ";
  }
  EXPECT_EQ(kinds, "Role ClusterRole RoleBinding ClusterRoleBinding ");
}

}  // namespace
}  // namespace berth::apiserver

#include "apiserver/auth/default_roles.h"

#include <gtest/gtest.h>

#include "apiserver/auth/rbac.h"
#include "json/yaml_read.h"

namespace berth::apiserver {
namespace {

Rbac with_roles_for_jane(std::string_view role) {
  std::vector<json::Value> objects = default_roles();
  for (json::Value& binding : default_bindings()) objects.push_back(std::move(binding));
  json::Value binding = json::read_one_yaml(R"(
kind: RoleBinding
metadata: {name: jane, namespace: ns}
roleRef: {kind: ClusterRole}
subjects: [{kind: User, name: jane}]
)")
                            .value();
  binding["roleRef"]["name"] = role;
  objects.push_back(std::move(binding));
  return Rbac(objects);
}

TEST(DefaultRoles, EverybodyMayDiscoverAndAskAboutThemselves) {
  const Rbac rbac = with_roles_for_jane("view");
  const User someone{.name = "someone", .groups = {"system:authenticated"}};
  const User nobody{.name = "system:anonymous", .groups = {"system:unauthenticated"}};
  const auto path = [](std::string text) {
    return Attributes{.verb = "get", .is_resource = false, .path = std::move(text)};
  };
  for (const char* allowed : {"/api", "/apis/apps/v1", "/openapi/v3", "/version", "/healthz"}) {
    EXPECT_TRUE(rbac.allows(someone, path(allowed))) << allowed;
  }
  EXPECT_FALSE(rbac.allows(someone, path("/metrics")));
  EXPECT_TRUE(rbac.allows(nobody, path("/readyz")));
  EXPECT_FALSE(rbac.allows(nobody, path("/api")));
  const Attributes review{
      .verb = "create", .group = "authorization.k8s.io", .resource = "selfsubjectaccessreviews"};
  EXPECT_TRUE(rbac.allows(someone, review));
  EXPECT_FALSE(rbac.allows(nobody, review));
}

TEST(DefaultRoles, OtherServersMayLearnWhoTheirClientsAre) {
  std::vector<json::Value> objects = default_roles();
  for (json::Value& binding : json::read_yaml(R"(
kind: RoleBinding
metadata: {name: addon, namespace: kube-system}
roleRef: {kind: Role, name: extension-apiserver-authentication-reader}
subjects: [{kind: User, name: addon}]
---
kind: ClusterRoleBinding
metadata: {name: addon}
roleRef: {kind: ClusterRole, name: "system:auth-delegator"}
subjects: [{kind: User, name: addon}]
)")
                                  .value()) {
    objects.push_back(std::move(binding));
  }
  const Rbac rbac(objects);
  const User addon{.name = "addon"};
  const auto map = [](std::string name) {
    return Attributes{
        .verb = "get", .resource = "configmaps", .ns = "kube-system", .name = std::move(name)};
  };
  EXPECT_TRUE(rbac.allows(addon, map("extension-apiserver-authentication")));
  EXPECT_FALSE(rbac.allows(addon, map("other")));
  EXPECT_TRUE(rbac.allows(
      addon, {.verb = "create", .group = "authentication.k8s.io", .resource = "tokenreviews"}));
}

TEST(DefaultRoles, ViewEditAndAdminBuildOnEachOther) {
  struct Case {
    Attributes question;
    bool view;
    bool edit;
    bool admin;
  };
  const Case cases[] = {
      {{.verb = "list", .resource = "pods", .ns = "ns"}, true, true, true},
      {{.verb = "list", .resource = "pods", .ns = "other"}, false, false, false},
      {{.verb = "get", .resource = "secrets", .ns = "ns"}, false, true, true},
      {{.verb = "create", .group = "apps", .resource = "deployments", .ns = "ns"},
       false,
       true,
       true},
      {{.verb = "create", .group = "rbac.authorization.k8s.io", .resource = "roles", .ns = "ns"},
       false,
       false,
       true},
      {{.verb = "create", .resource = "nodes"}, false, false, false},
  };
  const User jane{.name = "jane"};
  for (const Case& c : cases) {
    SCOPED_TRACE(forbidden_message(jane, c.question));
    EXPECT_EQ(with_roles_for_jane("view").allows(jane, c.question), c.view);
    EXPECT_EQ(with_roles_for_jane("edit").allows(jane, c.question), c.edit);
    EXPECT_EQ(with_roles_for_jane("admin").allows(jane, c.question), c.admin);
  }
}

TEST(DefaultRoles, ObjectsAreComplete) {
  for (const auto& objects : {default_roles(), default_bindings()}) {
    for (const json::Value& object : objects) {
      EXPECT_EQ(object.find("apiVersion")->string_or_empty(), "rbac.authorization.k8s.io/v1");
      EXPECT_FALSE(object.find_path({"metadata", "name"})->string_or_empty().empty());
    }
  }
  EXPECT_EQ(default_roles().size(), 12U);
  EXPECT_EQ(default_bindings().size(), 4U);
}

}  // namespace
}  // namespace berth::apiserver

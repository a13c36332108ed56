#include "apiserver/openapi/operations.h"

#include <string>

#include <gtest/gtest.h>

#include "apiserver/discovery/testing/some_registry.h"
#include "apiserver/kinds/builtin_kinds.h"
#include "apiserver/kinds/kinds_files.h"
#include "json/print.h"

namespace berth::apiserver {
namespace {

using json::Value;

class OpenApiOperations : public ::testing::Test {
 protected:
  Value paths(std::string_view group, std::string_view resource) {
    return openapi_paths(*registry_.find(group, "v1", resource), names_);
  }

  static std::string names_of(const Value& object) {
    std::string names;
    for (const auto& member : object.members()) names.append(member.name()).append(" ");
    return names;
  }

  Registry registry_ = testing::some_registry();
  TypeNames names_{read_kinds_file("types")};
};

TEST_F(OpenApiOperations, AreAtTheirPaths) {
  EXPECT_EQ(names_of(paths("zz.io", "foos")),
            "/apis/zz.io/v1/foos /apis/zz.io/v1/namespaces/{namespace}/foos "
            "/apis/zz.io/v1/namespaces/{namespace}/foos/{name} "
            "/apis/zz.io/v1/namespaces/{namespace}/foos/{name}/scale "
            "/apis/zz.io/v1/namespaces/{namespace}/foos/{name}/status ");
  const Value pods = paths("", "pods");
  EXPECT_EQ(names_of(*pods.find("/api/v1/pods")), "get parameters ");
  EXPECT_EQ(names_of(*pods.find("/api/v1/namespaces/{namespace}/pods")),
            "get post delete parameters ");
  EXPECT_EQ(names_of(*pods.find("/api/v1/namespaces/{namespace}/pods/{name}")),
            "get put delete patch parameters ");
  EXPECT_EQ(names_of(*pods.find("/api/v1/namespaces/{namespace}/pods/{name}/binding")),
            "post parameters ");
}

// What kubectl looks for before it trusts the server with validation and with patches.
TEST_F(OpenApiOperations, APatchNamesItsKindAndItsForms) {
  const Value pods = paths("", "pods");
  const Value& patch = *pods.find_path({"/api/v1/namespaces/{namespace}/pods/{name}", "patch"});
  EXPECT_EQ(json::print(*patch.find("x-kubernetes-group-version-kind")),
            R"({"group":"","version":"v1","kind":"Pod"})");
  EXPECT_EQ(names_of(*patch.find_path({"requestBody", "content"})),
            "application/apply-patch+yaml application/json-patch+json application/merge-patch+json "
            "application/strategic-merge-patch+json ");
  const Value foos = paths("zz.io", "foos");
  EXPECT_EQ(names_of(*foos.find_path({"/apis/zz.io/v1/namespaces/{namespace}/foos/{name}", "patch",
                                      "requestBody", "content"})),
            "application/apply-patch+yaml application/json-patch+json "
            "application/merge-patch+json ");
}

TEST_F(OpenApiOperations, HaveTheNamesOfKubernetes) {
  const Value pods = paths("", "pods");
  const auto id = [](const Value& all, std::string_view path, std::string_view method) {
    return std::string(all.find_path({path, method, "operationId"})->string_or_empty());
  };
  EXPECT_EQ(id(pods, "/api/v1/pods", "get"), "listCoreV1PodForAllNamespaces");
  EXPECT_EQ(id(pods, "/api/v1/namespaces/{namespace}/pods", "delete"),
            "deleteCoreV1CollectionNamespacedPod");
  EXPECT_EQ(id(pods, "/api/v1/namespaces/{namespace}/pods/{name}/status", "put"),
            "replaceCoreV1NamespacedPodStatus");
  const Registry all(builtin_resources());
  const Value roles =
      openapi_paths(*all.find("rbac.authorization.k8s.io", "v1", "clusterroles"), names_);
  EXPECT_EQ(id(roles, "/apis/rbac.authorization.k8s.io/v1/clusterroles/{name}", "get"),
            "readRbacAuthorizationV1ClusterRole");
}

}  // namespace
}  // namespace berth::apiserver

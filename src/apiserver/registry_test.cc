#include "apiserver/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::apiserver {
namespace {

using ::testing::ElementsAre;

std::shared_ptr<const Resource> resource(api::Gvr gvr, std::string kind) {
  auto made = std::make_shared<Resource>();
  made->gvr = std::move(gvr);
  made->kind = std::move(kind);
  return made;
}

Registry some_registry() {
  return Registry({
      resource({.group = "zz.io", .version = "v1beta1", .resource = "foos"}, "Foo"),
      resource({.group = "zz.io", .version = "v1", .resource = "foos"}, "Foo"),
      resource({.group = "aa.io", .version = "v1", .resource = "bars"}, "Bar"),
      resource({.group = "coordination.k8s.io", .version = "v1", .resource = "leases"}, "Lease"),
      resource({.group = "apps", .version = "v1", .resource = "deployments"}, "Deployment"),
      resource({.version = "v1", .resource = "pods"}, "Pod"),
      resource({.version = "v1", .resource = "configmaps"}, "ConfigMap"),
  });
}

TEST(Registry, OrdersGroupsAsKubernetesPrefersThem) {
  std::vector<std::string> names;
  for (const ServedGroup& group : some_registry().groups()) names.push_back(group.name);
  EXPECT_THAT(names, ElementsAre("", "apps", "coordination.k8s.io", "aa.io", "zz.io"));
}

TEST(Registry, PutsThePreferredVersionFirst) {
  EXPECT_THAT(some_registry().groups().back().versions, ElementsAre("v1", "v1beta1"));
}

TEST(Registry, FindsByResourceAndByKind) {
  const Registry registry = some_registry();
  EXPECT_EQ(registry.find("", "v1", "pods")->kind, "Pod");
  EXPECT_EQ(registry.find("zz.io", "v1beta1", "foos")->gvr.version, "v1beta1");
  EXPECT_EQ(registry.find("", "v1", "nodes"), nullptr);
  EXPECT_EQ(registry.find("apps", "v2", "deployments"), nullptr);
  EXPECT_EQ(
      registry.find_kind({.group = "apps", .version = "v1", .kind = "Deployment"})->gvr.resource,
      "deployments");
  EXPECT_EQ(registry.find_kind({.group = "apps", .version = "v1", .kind = "Pod"}), nullptr);
}

TEST(Registry, ListsTheResourcesOfAVersionByName) {
  std::vector<std::string> names;
  for (const auto& found : some_registry().resources("", "v1"))
    names.push_back(found->gvr.resource);
  EXPECT_THAT(names, ElementsAre("configmaps", "pods"));
  EXPECT_THAT(some_registry().resources("zz.io", "v2"), ElementsAre());
}

}  // namespace
}  // namespace berth::apiserver

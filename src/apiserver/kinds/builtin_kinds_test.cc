#include "apiserver/kinds/builtin_kinds.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/registry.h"

namespace berth::apiserver {
namespace {

using ::testing::ElementsAre;

class BuiltinResources : public ::testing::Test {
 protected:
  Registry registry_{builtin_resources()};
};

TEST_F(BuiltinResources, SayWhatKubernetesSaysOfThem) {
  const auto pods = registry_.find("", "v1", "pods");
  ASSERT_NE(pods, nullptr);
  EXPECT_EQ(pods->kind, "Pod");
  EXPECT_EQ(pods->list_kind, "PodList");
  EXPECT_EQ(pods->singular, "pod");
  EXPECT_EQ(pods->scope, Scope::Namespaced);
  EXPECT_EQ(registry_.find("", "v1", "nodes")->scope, Scope::Cluster);
  EXPECT_THAT(pods->short_names, ElementsAre("po"));
  EXPECT_THAT(pods->categories, ElementsAre("all"));
  EXPECT_TRUE(pods->has_verb("watch"));
  EXPECT_FALSE(registry_.find("", "v1", "bindings")->has_verb("list"));
  EXPECT_EQ(pods->custom, nullptr);
}

TEST_F(BuiltinResources, SubresourcesTakeTheirOwnKinds) {
  const Subresource* scale = registry_.find("apps", "v1", "deployments")->find_subresource("scale");
  ASSERT_NE(scale, nullptr);
  EXPECT_EQ(scale->kind, (api::Gvk{.group = "autoscaling", .version = "v1", .kind = "Scale"}));
  EXPECT_EQ(registry_.find("", "v1", "pods")->find_subresource("eviction")->kind,
            (api::Gvk{.group = "policy", .version = "v1", .kind = "Eviction"}));
  EXPECT_EQ(registry_.find("", "v1", "pods")->find_subresource("status")->kind.kind, "Pod");
  EXPECT_EQ(registry_.find("", "v1", "pods")->find_subresource("exec"), nullptr);
}

TEST_F(BuiltinResources, HaveTheStoresTableInTheirName) {
  EXPECT_EQ(registry_.find("", "v1", "pods")->table, "pods");
  const auto deployments = registry_.find("apps", "v1", "deployments");
  EXPECT_EQ(deployments->table, "deployments.apps");
  EXPECT_EQ(deployments->storage_version, "apps/v1");
}

TEST_F(BuiltinResources, BothKindsOfEventsAreStoredAsOne) {
  for (const char* group : {"", "events.k8s.io"}) {
    const auto events = registry_.find(group, "v1", "events");
    EXPECT_EQ(events->table, "events");
    EXPECT_EQ(events->storage_version, "v1");
  }
}

TEST_F(BuiltinResources, AreSortedWhereTheirReadersSearch) {
  for (const auto& resource : builtin_resources()) {
    SCOPED_TRACE(resource->gvr.text());
    EXPECT_TRUE(std::ranges::is_sorted(resource->verbs));
    EXPECT_TRUE(std::ranges::is_sorted(resource->subresources, {}, &Subresource::name));
    EXPECT_NE(resource->schema->find("metadata"), nullptr);
    EXPECT_NE(resource->schemas, nullptr);
  }
}

TEST(BuiltinKinds, KnowTheTypesOfAllSubresources) {
  const BuiltinKinds kinds = read_builtin_kinds();
  for (const auto& resource : kinds.resources) {
    for (const Subresource& subresource : resource->subresources) {
      EXPECT_NE(kinds.types->find_kind(subresource.kind), nullptr)
          << resource->gvr.text() << "/" << subresource.name;
    }
  }
}

TEST(BuiltinColumns, BeginWithTheName) {
  const auto columns = builtin_columns();
  const auto pods = columns.find("v1/pods");
  ASSERT_NE(pods, columns.end());
  EXPECT_EQ(pods->second.front().name, "Name");
  EXPECT_EQ(pods->second.front().format, "name");
  const auto node = std::ranges::find(pods->second, "Node", &Column::name);
  ASSERT_NE(node, pods->second.end());
  EXPECT_EQ(node->priority, 1);
}

}  // namespace
}  // namespace berth::apiserver

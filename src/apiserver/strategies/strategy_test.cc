#include "apiserver/strategies/strategy.h"

#include <gtest/gtest.h>

namespace berth::apiserver {
namespace {

const Strategy& strategy_of_table(std::string table, std::shared_ptr<const CustomFacts> custom) {
  Resource resource;
  resource.table = std::move(table);
  resource.custom = std::move(custom);
  return strategy_of(resource);
}

const Strategy& builtin(std::string table) { return strategy_of_table(std::move(table), nullptr); }

TEST(Strategies, MostKindsAreSpecialInNothing) {
  const Strategy& plain = builtin("limitedthings");
  EXPECT_FALSE(plain.creates_on_update);
  EXPECT_TRUE(plain.takes_any_version);
  EXPECT_FALSE(plain.counts_generations);
  EXPECT_EQ(plain.on_create, nullptr);
  EXPECT_EQ(plain.name_rule, NameRule::Subdomain);
}

TEST(Strategies, AnUpdateCreatesWhatItDoesInKubernetes) {
  for (const char* table :
       {"leases.coordination.k8s.io", "events", "endpoints", "limitranges", "services",
        "roles.rbac.authorization.k8s.io", "clusterrolebindings.rbac.authorization.k8s.io"}) {
    EXPECT_TRUE(builtin(table).creates_on_update) << table;
  }
  for (const char* table : {"configmaps", "secrets", "pods", "namespaces"}) {
    EXPECT_FALSE(builtin(table).creates_on_update) << table;
  }
}

TEST(Strategies, SomeUpdatesHaveToNameTheVersion) {
  EXPECT_FALSE(builtin("leases.coordination.k8s.io").takes_any_version);
  EXPECT_FALSE(builtin("poddisruptionbudgets.policy").takes_any_version);
  EXPECT_TRUE(builtin("secrets").takes_any_version);
}

TEST(Strategies, CustomResourcesAreAllAlikeButForTheirGuards) {
  const auto facts = std::make_shared<CustomFacts>();
  const auto custom = [&facts](std::string table) -> const Strategy& {
    return strategy_of_table(std::move(table), facts);
  };
  const Strategy& plain = custom("foos.ex.io");
  EXPECT_TRUE(plain.counts_generations);
  EXPECT_FALSE(plain.takes_any_version);
  EXPECT_EQ(plain.admit, nullptr);
  const Strategy& guarded = custom("managedclusters.cluster.open-cluster-management.io");
  EXPECT_NE(guarded.admit, nullptr);
  EXPECT_TRUE(guarded.counts_generations);
  EXPECT_FALSE(guarded.takes_any_version);
  // Whoever names his own kind like a built-in one gets nothing of its rules.
  EXPECT_EQ(custom("pods").admit, nullptr);
}

TEST(Strategies, NamesFollowTheirKind) {
  EXPECT_EQ(builtin("namespaces").name_rule, NameRule::Label);
  EXPECT_EQ(builtin("services").name_rule, NameRule::ServiceName);
  EXPECT_EQ(builtin("clusterroles.rbac.authorization.k8s.io").name_rule, NameRule::PathSegment);
}

}  // namespace
}  // namespace berth::apiserver

#include "placement/fleet/set_table.h"

#include <gtest/gtest.h>

namespace berth::placement {
namespace {

api::ManagedClusterSet exclusive(std::string name) {
  api::ManagedClusterSet set;
  set.facts.name = std::move(name);
  return set;
}

TEST(SetTable, KnowsWhoMayUseWhat) {
  SetTable sets;
  EXPECT_TRUE(sets.bind("n1", "s"));
  EXPECT_FALSE(sets.bind("n1", "s"));
  EXPECT_TRUE(sets.bind("n2", "s"));
  EXPECT_TRUE(sets.bound_in("n1").contains("s"));
  EXPECT_EQ(sets.namespaces_of("s").size(), 2U);
  EXPECT_TRUE(sets.unbind("n1", "s"));
  EXPECT_FALSE(sets.unbind("n1", "s"));
  EXPECT_TRUE(sets.bound_in("n1").empty());
  EXPECT_EQ(sets.namespaces_of("s").size(), 1U);
}

TEST(SetTable, ASetMattersWhenItsMembersOrItsProblemChange) {
  Symbols symbols;
  const ClusterTable clusters;
  SetTable sets;
  EXPECT_TRUE(sets.put(exclusive("s"), clusters, symbols));
  EXPECT_FALSE(sets.put(exclusive("s"), clusters, symbols));
  api::ManagedClusterSet broken = exclusive("s");
  broken.problem = Error{.message = "broken"};
  EXPECT_TRUE(sets.put(broken, clusters, symbols));
  EXPECT_TRUE(sets.find("s")->problem());
  EXPECT_TRUE(sets.remove("s", symbols));
  EXPECT_EQ(sets.find("s"), nullptr);
  EXPECT_EQ(symbols.size(), 0U);
}

TEST(SetTable, ASetWhoseNameIsNoLabelValueStillHasMembers) {
  Symbols symbols;
  ClusterTable clusters;
  const std::string name(100, 'x');
  const ClusterIndex a = clusters.acquire("a");
  api::ManagedCluster cluster;
  cluster.facts = {.name = "a", .labels = {{std::string(api::kClusterSetLabel), name}}};
  clusters.set_cluster(a, cluster, nullptr, symbols);
  SetTable sets;
  sets.put(exclusive(name), clusters, symbols);
  EXPECT_TRUE(sets.find(name)->members().test(a));
  EXPECT_EQ(sets.sets_of(a), (std::vector<std::string>{name}));
}

}  // namespace
}  // namespace berth::placement

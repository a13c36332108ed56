#include "fleet/registration/names.h"

#include <gtest/gtest.h>

namespace berth::fleet {
namespace {

TEST(AgentNames, AreSpelledAsOcmSpellsThem) {
  EXPECT_EQ(user_of({.cluster = "paris", .agent = "x7b2q"}),
            "system:open-cluster-management:paris:x7b2q");
  EXPECT_EQ(group_of("paris"), "system:open-cluster-management:paris");
}

TEST(AgentNames, AreReadFromUsersOfAgentsOnly) {
  EXPECT_EQ(agent_of("system:open-cluster-management:paris:a"),
            (AgentName{.cluster = "paris", .agent = "a"}));
  for (const std::string_view other :
       {"", "paris:a", "system:open-cluster-management:", "system:open-cluster-management:paris",
        "system:open-cluster-management:paris:", "system:open-cluster-management::a",
        "system:open-cluster-management:cluster:paris:addon:x:agent:y",
        "system:serviceaccount:paris:a", "xsystem:open-cluster-management:paris:a"}) {
    EXPECT_EQ(agent_of(other), std::nullopt) << other;
  }
}

TEST(ClusterNames, AreThoseOfNamespaces) {
  EXPECT_TRUE(check_cluster_name("cluster1").ok());
  for (const std::string_view bad : {"", "Paris", "a:b", "a/b", "a.b", "-a"}) {
    EXPECT_FALSE(check_cluster_name(bad).ok()) << bad;
  }
}

TEST(ClusterNames, AreNotThoseOfTheHubsOwnNamespacesAndGroups) {
  for (const std::string_view bad : {"default", "kube-system", "kube-public", "managed-clusters",
                                     "open-cluster-management", "registration", "work"}) {
    EXPECT_FALSE(check_cluster_name(bad).ok()) << bad;
  }
}

}  // namespace
}  // namespace berth::fleet

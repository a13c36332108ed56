#include "placement/compiling/cel_expressions.h"

#include <gtest/gtest.h>

#include "placement/testing/fleet_builder.h"

namespace berth::placement {
namespace {

using testing::parsed;

ScoreUse use(std::string_view text) { return (*CelExpressions().compile(text))->score_use(); }

TEST(CelExpressions, KnowWhichScoresTheyRead) {
  EXPECT_TRUE(use("true").names.empty());
  EXPECT_EQ(use(R"(managedCluster.scores("b").size() > 0 && managedCluster.scores("a").size() > 0)")
                .names,
            (std::vector<std::string>{"a", "b"}));
  EXPECT_FALSE(use(R"(managedCluster.scores("a").size() > 0)").any);
  EXPECT_TRUE(use(R"(["a"].exists(n, managedCluster.scores(n).size() > 0))").any);
}

TEST(CelExpressions, RefuseWhatDoesNotCompile) {
  EXPECT_TRUE(CelExpressions().compile("1 +").error().message.starts_with(
      "compilation failed: ERROR: <input>:1:"));
}

TEST(CelExpressions, SeeAClusterAsTheTypedObject) {
  EXPECT_EQ(managed_cluster_for_expressions(parsed(R"({
      "apiVersion":"cluster.open-cluster-management.io/v1","kind":"ManagedCluster",
      "metadata":{"name":"a"},
      "spec":{"taints":[{"key":"k"},{"key":"l","timeAdded":"2026-01-01T01:00:00+01:00"}]},
      "status":{"allocatable":{"cpu":"1000m","memory":"1.5Gi","pods":110},
                "capacity":{"cpu":2,"memory":"1024Mi"}}})")),
            parsed(R"({"metadata":{"name":"a"},
      "spec":{"taints":[{"key":"k","timeAdded":null},{"key":"l","timeAdded":"2026-01-01T00:00:00Z"}],
              "hubAcceptsClient":false},
      "status":{"allocatable":{"cpu":"1","memory":"1536Mi","pods":"110"},
                "capacity":{"cpu":"2","memory":"1Gi"},"conditions":null,"version":{}}})"));
}

TEST(CelExpressions, ABrokenClusterIsAnEmptyOne) {
  for (const char* text : {"[]", "3", "{}", R"({"spec":[],"status":"x"})"}) {
    EXPECT_EQ(
        managed_cluster_for_expressions(parsed(text)),
        parsed(R"({"spec":{"hubAcceptsClient":false},"status":{"conditions":null,"version":{}}})"))
        << text;
  }
}

}  // namespace
}  // namespace berth::placement

#include "upkeep/testing/model_cluster_service.h"

#include <gtest/gtest.h>

#include "upkeep/resources.h"

namespace berth::upkeep::testing {
namespace {

TEST(ModelCluster, KeepsWhatHasFinalizersAndLetsGoOfTheRest) {
  ModelCluster cluster;
  cluster.apply(pods(), R"({"metadata":{"name":"a","namespace":"ns"}})");
  cluster.apply(pods(), R"({"metadata":{"name":"b","namespace":"ns","finalizers":["f"]}})");
  cluster.remove(pods(), "ns/a");
  cluster.remove(pods(), "ns/b");
  EXPECT_EQ(cluster.keys(pods()), std::vector<std::string>{"ns/b"});
  EXPECT_TRUE(cluster.find(pods(), "ns/b")->find_path({"metadata", "deletionTimestamp"}));
  EXPECT_EQ(cluster.gone(), std::vector<std::string>{"pods/ns/a"});
}

TEST(ModelCluster, GivesEveryObjectItsOwnUid) {
  ModelCluster cluster;
  cluster.apply(pods(), R"({"metadata":{"name":"a","namespace":"ns"}})");
  cluster.apply(secrets(), R"({"metadata":{"name":"a","namespace":"ns"}})");
  EXPECT_NE(cluster.uid(pods(), "ns/a"), cluster.uid(secrets(), "ns/a"));
}

TEST(ModelCluster, TurnsCascadesIntoFinalizers) {
  ModelCluster cluster;
  cluster.apply(pods(), R"({"metadata":{"name":"a","namespace":"ns"}})");
  cluster.remove(pods(), "ns/a", {.propagation = client::Propagation::Foreground});
  EXPECT_EQ(cluster.find(pods(), "ns/a")
                ->find_path({"metadata", "finalizers"})
                ->elements()[0]
                .string_or_empty(),
            "foregroundDeletion");
}

TEST(ModelCluster, HoldsNamespacesUntilTheyAreFinalized) {
  ModelCluster cluster;
  cluster.apply(namespaces(), R"({"metadata":{"name":"ns"}})");
  cluster.remove(namespaces(), "ns");
  ASSERT_TRUE(cluster.find(namespaces(), "ns"));
  EXPECT_EQ(cluster.find(namespaces(), "ns")->find_path({"status", "phase"})->string_or_empty(),
            "Terminating");
}

}  // namespace
}  // namespace berth::upkeep::testing

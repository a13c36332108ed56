#include "api/kinds/managed_cluster.h"

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::api {
namespace {

ManagedCluster cluster(std::string_view text) {
  return read_managed_cluster(json::parse(text).value());
}

TEST(ManagedClusterKind, ReadsWhatPlacementNeeds) {
  const auto read = cluster(R"({
    "metadata": {"name": "a", "labels": {"env": "prod"}},
    "spec": {"taints": [{"key": "k", "value": "v", "effect": "NoSelect",
                         "timeAdded": "1970-01-01T00:00:10Z"},
                        {"key": "n", "effect": "PreferNoSelect", "timeAdded": null}]},
    "status": {"clusterClaims": [{"name": "zone", "value": "1"}],
               "allocatable": {"cpu": "3900m", "memory": "1Gi"},
               "capacity": {"cpu": "4", "memory": "2Gi"}}})");
  EXPECT_EQ(read.facts.name, "a");
  EXPECT_EQ(read.facts.label("env"), "prod");
  ASSERT_EQ(read.taints.size(), 2U);
  EXPECT_EQ(read.taints[0].time_added, Time(std::chrono::seconds(10)));
  EXPECT_EQ(read.taints[1].time_added, std::nullopt);
  EXPECT_EQ(read.claims, (std::vector<Label>{{"zone", "1"}}));
  EXPECT_EQ(read.allocatable_cpu, 3.9);
  EXPECT_EQ(read.allocatable_memory, 1073741824.0);
}

TEST(ManagedClusterKind, TheLaterOfTwoEqualClaimsCounts) {
  const auto read = cluster(R"({"status":{"clusterClaims":[
    {"name":"b","value":"1"},{"name":"a","value":"x"},{"name":"b","value":"2"}]}})");
  EXPECT_EQ(read.claims, (std::vector<Label>{{"a", "x"}, {"b", "2"}}));
}

TEST(ManagedClusterKind, AllocatableWithoutCapacityIsNoData) {
  EXPECT_EQ(cluster(R"({"status":{"allocatable":{"cpu":"4"}}})").allocatable_cpu, std::nullopt);
  EXPECT_EQ(cluster(R"({"status":{"capacity":{"cpu":"4"}}})").allocatable_cpu, std::nullopt);
}

TEST(ManagedClusterKind, ABrokenObjectIsAClusterWithoutAnything) {
  for (const char* text : {"{}", "[]", "7", R"({"metadata":3,"spec":{"taints":{}},"status":"x"})",
                           R"({"status":{"allocatable":{"cpu":"wat"},"capacity":{"cpu":1}}})"}) {
    EXPECT_EQ(cluster(text), ManagedCluster{}) << text;
  }
}

}  // namespace
}  // namespace berth::api

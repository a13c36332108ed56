#include "placement/clustersets/cluster_sets.h"

#include <gtest/gtest.h>

#include "api/kinds/managed_cluster_set.h"
#include "json/merge_patch.h"
#include "placement/testing/fleet_builder.h"

namespace berth::placement {
namespace {

using namespace std::chrono_literals;
using testing::parsed;

constexpr Time kNow = Time(1000s);

TEST(ClusterSets, DefaultIsExclusiveAndGlobalHasEverybody) {
  const auto exclusive = api::read_managed_cluster_set(default_cluster_set());
  EXPECT_EQ(exclusive.facts.name, "default");
  EXPECT_EQ(exclusive.type, api::ManagedClusterSet::SelectorType::ExclusiveClusterSetLabel);
  EXPECT_TRUE(api::read_managed_cluster_set(global_cluster_set()).selector.is_everything());
}

TEST(ClusterSets, AnEditedSelectorIsRestored) {
  json::Value edited = global_cluster_set();
  EXPECT_EQ(restore_selector(edited, global_cluster_set()), std::nullopt);
  edited["spec"]["clusterSelector"] =
      parsed(R"({"selectorType":"LabelSelector","labelSelector":{"matchLabels":{"a":"b"}},"x":1})");
  const auto patch = restore_selector(edited, global_cluster_set());
  ASSERT_TRUE(patch);
  EXPECT_EQ(*json::apply_merge_patch(edited, *patch).find("spec"),
            *global_cluster_set().find("spec"));
}

TEST(ClusterSets, TheAnnotationLetsAnEditedSelectorStay) {
  json::Value edited = default_cluster_set();
  edited["spec"]["clusterSelector"]["selectorType"] = "LabelSelector";
  edited["metadata"]["annotations"]["cluster.open-cluster-management.io/autoupdate"] = "false";
  EXPECT_EQ(restore_selector(edited, default_cluster_set()), std::nullopt);
}

TEST(ClusterSets, TheStatusCountsMembers) {
  const auto condition = [](const std::optional<json::Value>& patch) {
    const json::Value& entry = patch->find_path({"status", "conditions"})->elements()[0];
    return api::text_field(entry, "status") + " " + api::text_field(entry, "reason") + " " +
           api::text_field(entry, "message");
  };
  json::Value set = default_cluster_set();
  EXPECT_EQ(condition(set_status_patch(set, 0, kNow)),
            "True NoClusterMatched No ManagedCluster selected");
  const auto patch = set_status_patch(set, 3, kNow);
  EXPECT_EQ(condition(patch), "False ClustersSelected 3 ManagedClusters selected");
  set["status"] = *patch->find("status");
  EXPECT_EQ(set_status_patch(set, 3, kNow + 5s), std::nullopt);
}

TEST(ClusterSets, ABindingIsBoundToASetThatExists) {
  const json::Value binding = parsed(R"({"metadata":{"name":"s"}})");
  const auto status = [&](SetExists exists) {
    const auto patch = binding_status_patch(binding, exists, kNow);
    return api::text_field(patch->find_path({"status", "conditions"})->elements()[0], "reason");
  };
  EXPECT_EQ(status(SetExists::Yes), "ClusterSetBound");
  EXPECT_EQ(status(SetExists::No), "ClusterSetNotFound");
}

json::Value tainted(std::string_view taints, std::string_view labels = "{}") {
  return parsed(fmt::format(R"({{"metadata":{{"name":"a","labels":{}}},"spec":{{"taints":{}}}}})",
                            labels, taints));
}

std::string time_added(const json::Value& object) {
  return api::text_field(object.find_path({"spec", "taints"})->elements()[0], "timeAdded");
}

TEST(ClusterAdmission, ANewTaintGetsItsTimeAndACallersTimeIsOverwritten) {
  const auto admitted = admit_managed_cluster(
      tainted(R"([{"key":"k","effect":"NoSelect","timeAdded":"2020-01-01T00:00:00Z"}])"), nullptr,
      kNow);
  EXPECT_EQ(time_added(*admitted), "1970-01-01T00:16:40Z");
}

TEST(ClusterAdmission, AnUnchangedTaintKeepsItsTimeEvenIfTheUpdateLeavesItOut) {
  const json::Value old =
      tainted(R"([{"key":"k","effect":"NoSelect","timeAdded":"2020-01-01T00:00:00Z"}])");
  const auto admitted =
      admit_managed_cluster(tainted(R"([{"key":"k","effect":"NoSelect"}])"), &old, kNow);
  EXPECT_EQ(time_added(*admitted), "2020-01-01T00:00:00Z");
  const auto changed = admit_managed_cluster(
      tainted(R"([{"key":"k","value":"v","effect":"NoSelect"}])"), &old, kNow);
  EXPECT_EQ(time_added(*changed), "1970-01-01T00:16:40Z");
}

TEST(ClusterAdmission, AnUpdateMayNotSetTimes) {
  const json::Value old = tainted("[]");
  const auto refused = admit_managed_cluster(
      tainted(R"([{"key":"k1","effect":"NoSelect","timeAdded":"2020-01-01T00:00:00Z"},
                  {"key":"k2","effect":"NoSelect","timeAdded":"2020-01-01T00:00:00Z"}])"),
      &old, kNow);
  EXPECT_EQ(refused.error().message, "It is not allowed to set TimeAdded of Taint \"k1,k2\".");
}

TEST(ClusterAdmission, AClusterWithoutASetGetsTheDefaultOne) {
  const auto set_of = [](const json::Value& object) {
    return api::read_facts(*admit_managed_cluster(object, nullptr, kNow))
               .label(api::kClusterSetLabel) == "default";
  };
  EXPECT_TRUE(set_of(tainted("[]")));
  EXPECT_TRUE(set_of(tainted("[]", R"({"cluster.open-cluster-management.io/clusterset":""})")));
  EXPECT_FALSE(set_of(tainted("[]", R"({"cluster.open-cluster-management.io/clusterset":"s"})")));
}

}  // namespace
}  // namespace berth::placement

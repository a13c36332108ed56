#include "fleet/addons/placement_view.h"

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::fleet {
namespace {

json::Value decision(std::string_view index, std::string_view name, std::string_view clusters) {
  return json::parse(R"({"metadata":{"name":"d","labels":{
      "cluster.open-cluster-management.io/decision-group-index":")" +
                     std::string(index) + R"(",
      "cluster.open-cluster-management.io/decision-group-name":")" +
                     std::string(name) + R"("}},"status":{"decisions":)" + std::string(clusters) +
                     "}}")
      .value();
}

json::Value placement(int selected) {
  return json::parse(R"({"metadata":{"name":"p","namespace":"ns"},"status":{
      "numberOfSelectedClusters":)" +
                     std::to_string(selected) +
                     R"(,"conditions":[{"type":"PlacementSatisfied","status":"False"}]}})")
      .value();
}

TEST(PlacementViews, CollectTheSlicesOfEachGroup) {
  const json::Value one = decision("1", "rest", R"([{"clusterName":"d"},{"clusterName":"c"}])");
  const json::Value two = decision("0", "canary", R"([{"clusterName":"a"}])");
  const json::Value three = decision("1", "rest", R"([{"clusterName":"b"},{"clusterName":"a"}])");
  const json::Value object = placement(4);
  const json::Value* decisions[] = {&one, &two, &three};
  const PlacementView view = view_placement(&object, decisions);
  ASSERT_EQ(view.groups.size(), 2u);
  EXPECT_EQ(view.groups[0].name, "canary");
  EXPECT_EQ(view.groups[1].clusters, (std::vector<std::string>{"b", "c", "d"}));
  EXPECT_TRUE(view.is_settled);
  EXPECT_TRUE(view.chose("d"));
  EXPECT_FALSE(view.chose("e"));
}

TEST(PlacementViews, AreNotSettledWhileSomethingIsMissing) {
  EXPECT_FALSE(view_placement(nullptr, {}).exists);
  EXPECT_FALSE(view_placement(nullptr, {}).is_settled);
  const json::Value fresh = json::parse(R"({"metadata":{"name":"p","namespace":"ns"}})").value();
  EXPECT_FALSE(view_placement(&fresh, {}).is_settled);
  const json::Value more = placement(1);
  EXPECT_FALSE(view_placement(&more, {}).is_settled) << "the decisions are not there yet";
  const json::Value none = placement(0);
  const json::Value empty = decision("0", "", "[]");
  const json::Value* only_empty[] = {&empty};
  EXPECT_TRUE(view_placement(&none, only_empty).is_settled);
  EXPECT_FALSE(view_placement(&none, {}).is_settled) << "there always is a first group";
  const json::Value second = decision("1", "", R"([{"clusterName":"a"}])");
  const json::Value* gap[] = {&second};
  EXPECT_FALSE(view_placement(&more, gap).is_settled) << "the first group has gone";
  json::Value deleting = placement(0);
  deleting["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z";
  EXPECT_FALSE(view_placement(&deleting, {}).is_settled);
}

}  // namespace
}  // namespace berth::fleet

#include "local/fleet_picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/parse.h"
#include "local/example_cluster.h"

namespace berth::local {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Texts = std::vector<std::string>;

json::Value parsed(std::string_view text) { return json::parse(text).value(); }

json::Value cluster(std::string_view available) {
  json::Value object = parsed(R"({"status":{"allocatable":{"cpu":"40","memory":"80Gi"},
      "conditions":[{"type":"ManagedClusterConditionAvailable"}]}})");
  object["status"]["conditions"] = json::Value::array({json::Value::object(
      {{"type", "ManagedClusterConditionAvailable"}, {"status", std::string(available)}})});
  return object;
}

json::Value decision(std::string_view placement, std::vector<std::string> clusters) {
  json::Value object = json::Value::object({});
  object["metadata"]["labels"]["cluster.open-cluster-management.io/placement"] =
      std::string(placement);
  json::Value all = json::Value::array();
  for (std::string& name : clusters) {
    all.push_back(json::Value::object({{"clusterName", std::move(name)}}));
  }
  object["status"]["decisions"] = std::move(all);
  return object;
}

class FleetPictureTest : public ::testing::Test {
 protected:
  void put_cluster(const std::string& name, std::string_view available = "True") {
    const json::Value object = cluster(available);
    picture_.put_cluster(name, &object);
  }
  void put_decision(const std::string& key, std::vector<std::string> clusters) {
    const json::Value object = decision("web", std::move(clusters));
    picture_.put_decision(key, &object);
  }

  Texts take_news() {
    Texts texts;
    for (FleetNews& news : picture_.take_news()) texts.push_back(std::move(news.text));
    return texts;
  }

  FleetPicture picture_;
};

// Of one node with 8 cores and 16Gi, half of the cores and a quarter of the memory.
ClusterUse half_used(const std::string& /*cluster*/) {
  ClusterUse use;
  use.add_node(example_node(1));
  use.add_pod(parsed(R"({"spec":{"nodeName":"node1","containers":[{"name":"web","resources":
      {"requests":{"cpu":"4","memory":"4Gi"}}}]}})"));
  return use;
}

TEST_F(FleetPictureTest, TellsWhereAPlacementGoesAndMovesTo) {
  put_decision("shop/web-decision-1", {"oslo"});
  put_decision("shop/web-decision-1", {"rome"});
  put_decision("shop/web-decision-1", {"rome"});
  EXPECT_THAT(take_news(), ElementsAre("shop/web: nowhere -> oslo", "shop/web: oslo -> rome"));
  EXPECT_THAT(take_news(), IsEmpty());
}

TEST_F(FleetPictureTest, AMoveSaysFromWhereToWhere) {
  put_decision("shop/web-decision-1", {"oslo", "rome"});
  picture_.take_news();
  put_decision("shop/web-decision-1", {"oslo", "bern"});
  const std::vector<FleetNews> news = picture_.take_news();
  ASSERT_EQ(news.size(), 1U);
  ASSERT_TRUE(news[0].move);
  EXPECT_EQ(news[0].move->placement, "shop/web");
  EXPECT_THAT(news[0].move->from, ElementsAre("oslo", "rome"));
  EXPECT_THAT(news[0].move->to, ElementsAre("bern", "oslo"));
}

TEST_F(FleetPictureTest, SeveralDecisionsOfOnePlacementAreOne) {
  put_decision("shop/web-decision-1", {"oslo"});
  put_decision("shop/web-decision-2", {"rome"});
  picture_.take_news();
  picture_.put_decision("shop/web-decision-2", nullptr);
  picture_.put_decision("shop/web-decision-1", nullptr);
  EXPECT_THAT(take_news(),
              ElementsAre("shop/web: oslo, rome -> oslo", "shop/web: oslo -> nowhere"));
}

TEST_F(FleetPictureTest, TellsWhenAClusterComesAndGoes) {
  put_cluster("oslo");
  put_cluster("oslo", "Unknown");
  put_cluster("oslo", "Unknown");
  picture_.put_cluster("oslo", nullptr);
  EXPECT_THAT(take_news(),
              ElementsAre("oslo is available", "oslo is not available", "oslo is gone"));
}

TEST_F(FleetPictureTest, ATableShowsRoomScoresAndWhoChoseIt) {
  put_cluster("oslo");
  const json::Value score = parsed(R"({"status":{"scores":[{"name":"cpuAvailable","value":12}]}})");
  picture_.put_score("oslo/resource-usage-score", &score);
  put_decision("shop/web-decision-1", {"oslo"});
  const std::string table = picture_.table(10, half_used);
  const std::string row = table.substr(table.find('\n') + 1);
  for (const char* word : {"oslo", "yes", "#####..... 50% of 40", "###....... 25% of 80Gi",
                           "cpuAvailable 12", "shop/web"}) {
    EXPECT_TRUE(row.contains(word)) << word << " in " << row;
  }
}

TEST_F(FleetPictureTest, ATableKeepsToItsLines) {
  for (int i = 0; i < 9; ++i) put_cluster("c" + std::to_string(i));
  const std::string table = picture_.table(5, half_used);
  EXPECT_EQ(std::ranges::count(table, '\n'), 5);
  EXPECT_TRUE(table.ends_with("... and 6 more\n")) << table;
}

}  // namespace
}  // namespace berth::local

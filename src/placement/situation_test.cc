#include "placement/situation.h"

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::placement {
namespace {

using Keys = std::vector<api::ObjectKey>;

json::Value parsed(std::string_view text) { return json::parse(text).value(); }

class TwoPlacements : public ::testing::Test {
 protected:
  TwoPlacements() : situation_(Options{}) {
    situation_.put(Watched::Sets, parsed(R"({"metadata":{"name":"s"},"spec":{"clusterSelector":
        {"selectorType":"LabelSelector","labelSelector":{}}}})"));
    situation_.put(Watched::Bindings, parsed(R"({"metadata":{"name":"s","namespace":"ns"},
        "spec":{"clusterSet":"s"}})"));
    for (const char* name : {"a", "b"}) {
      situation_.put(Watched::Clusters,
                     parsed(R"({"metadata":{"name":")" + std::string(name) + R"("}})"));
    }
    for (const char* name : {"p", "q"}) {
      situation_.put(Watched::Placements,
                     parsed(R"({"metadata":{"namespace":"ns","name":")" + std::string(name) + R"("},
          "spec":{"numberOfClusters":1,"prioritizerPolicy":{"mode":"Exact","configurations":[
          {"scoreCoordinate":{"type":"BuiltIn","builtIn":"Balance"},"weight":1}]}}})"));
    }
  }

  std::string choice(const api::ObjectKey& key) {
    const Plan plan = situation_.plan(key, Time()).value();
    situation_.assume(key, plan);
    const auto objects = situation_.fleet().decisions().objects_of(key);
    return objects.empty() ? "" : objects.front()->decisions.at(0).cluster;
  }

  Situation situation_;
};

TEST_F(TwoPlacements, AClusterThatComesConcernsBoth) {
  EXPECT_EQ(situation_.put(Watched::Clusters, parsed(R"({"metadata":{"name":"c"}})")),
            (Keys{{"ns", "p"}, {"ns", "q"}}));
  EXPECT_EQ(situation_.remove(Watched::Clusters, "", "c"), (Keys{{"ns", "p"}, {"ns", "q"}}));
}

TEST_F(TwoPlacements, APlacementConcernsItself) {
  EXPECT_EQ(situation_.remove(Watched::Placements, "ns", "q"), (Keys{{"ns", "q"}}));
  EXPECT_EQ(situation_.find({"ns", "q"}), nullptr);
  EXPECT_EQ(situation_.placements(), 1U);
}

TEST_F(TwoPlacements, APlacementInAVersionThatIsKnownConcernsNobody) {
  json::Value placement = parsed(R"({"metadata":{"namespace":"ns","name":"p","uid":"u",
      "resourceVersion":"7"},"spec":{}})");
  EXPECT_EQ(situation_.put(Watched::Placements, placement), (Keys{{"ns", "p"}}));
  EXPECT_EQ(situation_.put(Watched::Placements, placement), Keys{});
  placement["metadata"]["resourceVersion"] = "8";
  EXPECT_EQ(situation_.put(Watched::Placements, placement), (Keys{{"ns", "p"}}));
}

TEST_F(TwoPlacements, WhatIsAssumedCountsForTheNext) {
  EXPECT_EQ(choice({"ns", "p"}), "a");
  EXPECT_EQ(choice({"ns", "q"}), "b");
}

TEST_F(TwoPlacements, KeepsWholeClustersOnlyForExpressions) {
  EXPECT_FALSE(situation_.keeps_cluster_objects());
  situation_.put(Watched::Placements, parsed(R"({"metadata":{"namespace":"ns","name":"e"},
      "spec":{"predicates":[{"requiredClusterSelector":{"celSelector":{"celExpressions":["true"]}}}]}})"));
  EXPECT_TRUE(situation_.keeps_cluster_objects());
  situation_.put(Watched::Clusters, parsed(R"({"metadata":{"name":"a"}})"));
  const ClusterTable& clusters = situation_.fleet().clusters();
  situation_.drop_unread_cluster_objects();
  EXPECT_NE(clusters[*clusters.find("a")].object, nullptr) << "they are read";
  situation_.remove(Watched::Placements, "ns", "e");
  situation_.drop_unread_cluster_objects();
  EXPECT_FALSE(situation_.keeps_cluster_objects());
  EXPECT_EQ(clusters[*clusters.find("a")].object, nullptr);
}

}  // namespace
}  // namespace berth::placement

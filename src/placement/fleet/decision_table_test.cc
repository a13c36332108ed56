#include "placement/fleet/decision_table.h"

#include <memory>

#include <gtest/gtest.h>

namespace berth::placement {
namespace {

api::PlacementDecision decision(std::string name, std::string placement,
                                std::vector<std::string> clusters) {
  api::PlacementDecision made;
  made.facts = {.name = std::move(name),
                .object_namespace = "n",
                .labels = {{std::string(api::kPlacementLabel), std::move(placement)}}};
  for (std::string& cluster : clusters) made.decisions.push_back({.cluster = std::move(cluster)});
  return made;
}

TEST(DecisionTable, FindsObjectsByTheirPlacement) {
  ClusterTable clusters;
  DecisionTable decisions;
  decisions.put(decision("d2", "p", {"a"}), clusters);
  decisions.put(decision("d1", "p", {"b"}), clusters);
  decisions.put(decision("d3", "q", {"a"}), clusters);
  const auto objects = decisions.objects_of({"n", "p"});
  ASSERT_EQ(objects.size(), 2U);
  EXPECT_EQ(objects[0]->facts.name, "d1");
  const PastDecisions past = decisions.past_decisions({"n", "p"});
  EXPECT_TRUE(past.clusters.test(*clusters.find("a")) && past.clusters.test(*clusters.find("b")));
  EXPECT_EQ(past.named.size(), 2U);
  EXPECT_EQ(decisions.usage().count(*clusters.find("a")), 2U);
}

TEST(DecisionTable, ACopyStandsForItself) {
  ClusterTable clusters;
  auto decisions = std::make_unique<DecisionTable>();
  decisions->put(decision("d", "p", {"a"}), clusters);
  const DecisionTable copy = *decisions;
  decisions->put(decision("d", "p", {"b"}), clusters);
  decisions.reset();
  EXPECT_EQ(copy.past_decisions({"n", "p"}).named.size(), 1U);
  ASSERT_EQ(copy.objects_of({"n", "p"}).size(), 1U);
  EXPECT_EQ(copy.objects_of({"n", "p"})[0]->decisions.at(0).cluster, "a");
}

TEST(DecisionTable, AReplacedObjectCountsOnce) {
  ClusterTable clusters;
  DecisionTable decisions;
  decisions.put(decision("d", "p", {"a", "b"}), clusters);
  decisions.put(decision("d", "q", {"b", "c"}), clusters);
  EXPECT_EQ(clusters.find("a"), std::nullopt);
  EXPECT_EQ(decisions.usage().count(*clusters.find("b")), 1U);
  EXPECT_TRUE(decisions.objects_of({"n", "p"}).empty());
  EXPECT_EQ(decisions.remove({"n", "d"}, clusters), (std::vector<api::ObjectKey>{{"n", "q"}}));
  EXPECT_EQ(clusters.find("b"), std::nullopt);
}

TEST(DecisionTable, WhatIsKnownAlreadyConcernsNobody) {
  ClusterTable clusters;
  DecisionTable decisions;
  EXPECT_FALSE(decisions.put(decision("d", "p", {"a"}), clusters).empty());
  EXPECT_TRUE(decisions.put(decision("d", "p", {"a"}), clusters).empty());
  EXPECT_EQ(decisions.usage().count(*clusters.find("a")), 1U);
}

TEST(DecisionTable, AnObjectWithoutTheLabelOnlyCountsForUsage) {
  ClusterTable clusters;
  DecisionTable decisions;
  EXPECT_TRUE(decisions.put(decision("d", "", {"a"}), clusters).empty());
  EXPECT_EQ(decisions.usage().count(*clusters.find("a")), 1U);
  EXPECT_TRUE(decisions.find({"n", "d"}));
  EXPECT_FALSE(decisions.find({"n", "e"}));
}

}  // namespace
}  // namespace berth::placement

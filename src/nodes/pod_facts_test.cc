#include "nodes/pod_facts.h"

#include <gtest/gtest.h>

#include "nodes/testing/cluster_builder.h"

namespace berth::nodes {
namespace {

TEST(PodFacts, TellWhatThePodTakesAndWhoseItIs) {
  const PodFacts facts = testing::facts_of(testing::pod(
      "p", R"({"cpu":"250m","owner":"rs-1","node":"n1","priority":7,"ports":[80],"claim":"r-1"})"));
  EXPECT_EQ(facts.key.text(), "ns/p");
  EXPECT_EQ(facts.node, "n1");
  EXPECT_EQ(facts.owner.uid, "rs-1");
  EXPECT_EQ(facts.owner.kind, "ReplicaSet");
  EXPECT_EQ(facts.claim, "r-1");
  EXPECT_EQ(facts.priority, 7);
  EXPECT_EQ(facts.requests.amount("cpu").milli_value(), 250);
  EXPECT_EQ(facts.ports.at(0).port, 80);
}

TEST(PodFacts, CountContainersThatSayNothingOnlyForScores) {
  const PodFacts facts = testing::facts_of(testing::pod("p"));
  EXPECT_TRUE(facts.requests.empty());
  EXPECT_EQ(facts.scored_cpu, 100);
  EXPECT_EQ(facts.scored_memory, 200 << 20);
}

TEST(PodFacts, OfAPodWithoutAnOwnerNameNobody) {
  EXPECT_EQ(testing::facts_of(testing::pod("p")).owner, PodOwner());
}

TEST(PodFacts, OfAnEndedPodTakeNothing) {
  const PodFacts facts = testing::facts_of(
      testing::pod("p", R"({"cpu":"1","phase":"Succeeded","ports":[80],"node":"n"})"));
  EXPECT_TRUE(facts.is_terminal);
  EXPECT_TRUE(facts.requests.empty());
  EXPECT_TRUE(facts.ports.empty());
}

TEST(PodFacts, NameTheFieldThatCannotBeRead) {
  const auto facts = PodFacts::from_json(testing::pod("p", R"({"cpu":"lots"})"));
  ASSERT_FALSE(facts.ok());
  EXPECT_NE(facts.error().message.find("resources.requests"), std::string::npos);
}

}  // namespace
}  // namespace berth::nodes

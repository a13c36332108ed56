#include "placement/writing/groups.h"

#include <gtest/gtest.h>

#include "placement/testing/fleet_builder.h"

namespace berth::placement {
namespace {

using testing::FleetBuilder;

// "g1:c0000,c0001 :c0002": groups with their clusters.
std::string groups(const FleetBuilder& fleet, std::string_view strategy) {
  const std::string spec =
      fmt::format(R"({{"decisionStrategy":{{"groupStrategy":{}}}}})", strategy);
  const Grouping grouping =
      make_groups(testing::compiled(spec).placement, fleet.view(),
                  testing::schedule(fleet, spec).chosen, api::SortBy::ClusterName);
  std::string text = grouping.problem ? "(" + *grouping.problem + ")" : "";
  for (const Group& group : grouping.groups) {
    text += (text.empty() ? "" : " ") + group.name + ":";
    std::string separator;
    for (const Ranked& ranked : group.clusters) {
      text += separator + fleet.view().name(ranked.cluster);
      separator = ",";
    }
  }
  return text;
}

std::vector<std::size_t> sizes(int clusters, std::string_view size) {
  FleetBuilder fleet;
  fleet.clusters(clusters);
  const std::string spec = fmt::format(
      R"({{"decisionStrategy":{{"groupStrategy":{{"clustersPerDecisionGroup":{}}}}}}})", size);
  std::vector<std::size_t> lengths;
  for (const Group& group :
       make_groups(testing::compiled(spec).placement, fleet.view(),
                   testing::schedule(fleet, spec).chosen, api::SortBy::ClusterName)
           .groups) {
    lengths.push_back(group.clusters.size());
  }
  return lengths;
}

TEST(Groups, E7_PercentagesRoundAsTheReference) {
  std::vector<std::size_t> expected(12, 8);
  expected.push_back(4);
  EXPECT_EQ(sizes(100, R"("7%")"), expected);
  EXPECT_EQ(sizes(100, R"("14%")")[0], 15U);
  EXPECT_EQ(sizes(100, R"("28%")")[0], 29U);
  EXPECT_EQ(sizes(100, R"("55%")")[0], 56U);
  EXPECT_EQ(sizes(100, R"("50%")")[0], 50U);
}

TEST(Groups, E9_ASenselessSizeIsOneGroup) {
  for (const char* size : {"-5", "0", "99", R"("100%")"}) {
    EXPECT_EQ(sizes(5, size), (std::vector<std::size_t>{5})) << size;
  }
}

TEST(Groups, E10_AtLeastOneClusterForEachGroup) {
  EXPECT_EQ(sizes(5, R"("1%")"), (std::vector<std::size_t>{1, 1, 1, 1, 1}));
}

TEST(Groups, E8_ATextThatIsNoPercentageIsAProblem) {
  FleetBuilder fleet;
  fleet.clusters(3);
  EXPECT_EQ(groups(fleet, R"({"clustersPerDecisionGroup":"2"})"),
            "(2 invalid type: string is not a percentage)");
}

TEST(Groups, E11_AGroupThatSelectsNobodyHasNoIndex) {
  FleetBuilder fleet;
  for (const char* name : {"a", "b", "c"}) fleet.cluster(name, R"({"labels":{"x":"1"}})");
  fleet.cluster("d");
  EXPECT_EQ(groups(fleet, R"({"clustersPerDecisionGroup":2,"decisionGroups":[
      {"groupName":"g0","groupClusterSelector":{"labelSelector":{"matchLabels":{"y":"1"}}}},
      {"groupName":"g1","groupClusterSelector":{"labelSelector":{"matchLabels":{"x":"1"}}}}]})"),
            "g1:a,b g1:c :d");
}

TEST(Groups, E12_AnEmptySelectorTakesEverything) {
  FleetBuilder fleet;
  fleet.cluster("a").cluster("b", R"({"labels":{"x":"1"}})");
  EXPECT_EQ(groups(fleet, R"({"decisionGroups":[{"groupName":"g0","groupClusterSelector":{}},
      {"groupName":"g1","groupClusterSelector":{"labelSelector":{"matchLabels":{"x":"1"}}}}]})"),
            "g0:a,b");
}

TEST(Groups, E13_ABadSelectorKeepsTheGroupsBeforeIt) {
  FleetBuilder fleet;
  fleet.cluster("a", R"({"labels":{"x":"1"}})").cluster("b");
  EXPECT_EQ(groups(fleet, R"({"decisionGroups":[
      {"groupName":"g0","groupClusterSelector":{"labelSelector":{"matchLabels":{"x":"1"}}}},
      {"groupName":"g1","groupClusterSelector":{"labelSelector":{"matchExpressions":[
          {"key":"k","operator":"Nope"}]}}}]})"),
            "(\"Nope\" is not a valid label selector operator) g0:a");
}

TEST(Groups, ClaimsSelectToo) {
  FleetBuilder fleet;
  fleet.cluster("a", R"({"claims":{"zone":"1"}})").cluster("b");
  EXPECT_EQ(groups(fleet, R"({"decisionGroups":[{"groupName":"g0","groupClusterSelector":{
      "claimSelector":{"matchExpressions":[{"key":"zone","operator":"Exists"}]}}}]})"),
            "g0:a :b");
}

TEST(Groups, NobodyIsOneEmptyGroup) { EXPECT_EQ(groups(FleetBuilder(), "{}"), ":"); }

TEST(Slices, E5_E14_AreNumberedOverAllGroups) {
  const auto of = [](std::size_t count) { return Group{.clusters = std::vector<Ranked>(count)}; };
  const auto names = [](const std::vector<Group>& all) {
    std::string text;
    for (const DecisionSlice& part : slice("p", all)) {
      text += fmt::format("{}/{}/{} ", part.name, part.group, part.clusters.size());
    }
    return text;
  };
  EXPECT_EQ(names({of(101)}), "p-decision-1/0/100 p-decision-2/0/1 ");
  EXPECT_EQ(names({of(150), of(20)}), "p-decision-1/0/100 p-decision-2/0/50 p-decision-3/1/20 ");
  EXPECT_EQ(names({of(100)}), "p-decision-1/0/100 ");
  EXPECT_EQ(names({of(0)}), "p-decision-1/0/0 ");
}

}  // namespace
}  // namespace berth::placement

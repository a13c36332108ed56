#include "local/scenario_play.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/yaml_read.h"

namespace berth::local {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;

Scenario scenario_of(const std::string& timeline) {
  auto scenario = read_scenario(
      "clusters: [{name: a}, {name: b}]\n"
      "placements: [{name: web}]\n"
      "timeline:\n" +
      timeline);
  EXPECT_TRUE(scenario.ok()) << scenario.error().message;
  return scenario.ok() ? *std::move(scenario) : Scenario();
}

std::vector<std::string> texts_of(const std::vector<ScenarioVerdict>& verdicts) {
  std::vector<std::string> texts;
  for (const ScenarioVerdict& verdict : verdicts) texts.push_back(verdict.text);
  return texts;
}

TEST(Scene, FollowsOutagesSilenceAndRecovery) {
  const Scenario scenario = scenario_of(
      "- {at: 10s, outage: [a]}\n"
      "- {at: 20s, silence: [a, b]}\n"
      "- {at: 30s, recovery: [a]}\n");
  EXPECT_EQ(scene_at(scenario, 9s).at("a"), (ClusterScene{.is_there = true}));
  EXPECT_EQ(scene_at(scenario, 10s).at("a"), (ClusterScene{.is_there = true, .is_out = true}));
  EXPECT_EQ(scene_at(scenario, 25s).at("a"),
            (ClusterScene{.is_there = true, .is_out = true, .is_silent = true}));
  EXPECT_EQ(scene_at(scenario, 30s).at("a"), (ClusterScene{.is_there = true}));
  EXPECT_EQ(scene_at(scenario, 30s).at("b"), (ClusterScene{.is_there = true, .is_silent = true}));
}

TEST(Scene, HasClustersThatJoinOnlyFromThenOn) {
  const Scenario scenario = scenario_of("- {at: 10s, join: [{name: c}]}\n");
  EXPECT_FALSE(scene_at(scenario, 9s).at("c").is_there);
  EXPECT_TRUE(scene_at(scenario, 10s).at("c").is_there);
}

TEST(Scene, MovesLoadsFromWhereTheyAreToWhereTheyGo) {
  const Scenario scenario = scenario_of(
      "- {at: 0s, load: {a: 20%}}\n"
      "- {at: 10s, load: {a: 80%, b: 50%}, over: 60s}\n"
      "- {at: 40s, load: {a: 0%}, over: 10s}\n");
  EXPECT_EQ(scene_at(scenario, 0s).at("a").load, 20);
  EXPECT_EQ(scene_at(scenario, 25s).at("a").load, 35);
  EXPECT_EQ(scene_at(scenario, 40s).at("a").load, 50);  // On the way to 80, it turns.
  EXPECT_EQ(scene_at(scenario, 45s).at("a").load, 25);
  EXPECT_EQ(scene_at(scenario, 1h).at("a").load, 0);
  EXPECT_EQ(scene_at(scenario, 1h).at("b").load, 50);
}

TEST(Judge, TellsWhatCameTrueAndWhatDidNotInTime) {
  const Scenario scenario = scenario_of(
      "- {at: 10s, expect: {web: [a]}, within: 20s}\n"
      "- {at: 20s, expect: {web: [b]}, within: 10s}\n");
  ScenarioJudge judge(scenario);
  EXPECT_THAT(judge.look(9s, {{"web", {"a"}}}), ElementsAre());  // Too early to count.
  EXPECT_THAT(judge.look(15s, {{"web", {"b"}}}), ElementsAre());
  EXPECT_THAT(texts_of(judge.look(21s, {{"web", {"a"}}})),
              ElementsAre("line 4: web is on a, as expected"));
  EXPECT_FALSE(judge.is_over(29s));
  EXPECT_THAT(judge.look(29s, {{"web", {"a", "b"}}}), ElementsAre());
  EXPECT_EQ(judge.failures(), 0);
  EXPECT_THAT(texts_of(judge.look(30s, {})),
              ElementsAre("line 5: web should be on b within 10 s, and is nowhere"));
  EXPECT_EQ(judge.failures(), 1);
  EXPECT_EQ(judge.came_true(), 1);
  EXPECT_EQ(judge.expectations(), 2);
  EXPECT_TRUE(judge.is_over(30s));
}

TEST(Judge, IsNotOverBeforeTheLastLoadHasArrived) {
  const Scenario scenario = scenario_of("- {at: 10s, load: {a: 50%}, over: 20s}\n");
  const ScenarioJudge judge(scenario);
  EXPECT_FALSE(judge.is_over(29s));
  EXPECT_TRUE(judge.is_over(30s));
}

TEST(Decided, AddsUpTheDecisionsOfAPlacement) {
  const auto decisions = json::read_yaml(R"(
metadata: {name: web-1, namespace: default, labels: {cluster.open-cluster-management.io/placement: web}}
status: {decisions: [{clusterName: a}]}
---
metadata: {name: web-2, namespace: default, labels: {cluster.open-cluster-management.io/placement: web}}
status: {decisions: [{clusterName: b}]}
---
metadata: {name: o, namespace: other, labels: {cluster.open-cluster-management.io/placement: web}}
status: {decisions: [{clusterName: c}]}
)");
  ASSERT_TRUE(decisions.ok());
  EXPECT_EQ(decided_by(*decisions), (Decided{{"web", {"a", "b"}}}));
}

}  // namespace
}  // namespace berth::local

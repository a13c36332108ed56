#include "nodes/profile_config.h"

#include <gtest/gtest.h>

#include "json/yaml_read.h"
#include "nodes/registry.h"

namespace berth::nodes {
namespace {

Result<Profile> read(std::string_view yaml) {
  std::vector<std::string> warnings;
  return read_profile(json::read_one_yaml(yaml).value(), "profiles[0]", warnings);
}

// "TaintToleration=3 NodeAffinity=2 ..."
std::string scorers(std::string_view yaml) {
  const auto profile = read(yaml);
  if (!profile.ok()) return profile.error().message;
  std::string text;
  for (const WeightedScorer& weighted : profile->scorers) {
    text +=
        fmt::format("{}{}={}", text.empty() ? "" : " ", weighted.scorer->name(), weighted.weight);
  }
  return text;
}

std::string filters(std::string_view yaml) {
  const auto profile = read(yaml);
  if (!profile.ok()) return profile.error().message;
  std::string text;
  for (const auto& filter : profile->filters) {
    text += fmt::format("{}{}", text.empty() ? "" : " ", filter->name());
  }
  return text;
}

TEST(ProfileConfig, ChangesWeightsAndLeavesPluginsOut) {
  EXPECT_EQ(
      scorers("{schedulerName: a, plugins: {score: {disabled: [{name: TaintToleration}], "
              "enabled: [{name: NodeAffinity, weight: 7}]}}}"),
      "NodeAffinity=7 NodeResourcesFit=1 NodeResourcesBalancedAllocation=1 PodReservation=20");
  EXPECT_EQ(scorers("{schedulerName: a, plugins: {score: {disabled: [{name: '*'}], "
                    "enabled: [{name: NodeAffinity}]}}}"),
            "NodeAffinity=2");
  EXPECT_EQ(filters("{schedulerName: a, plugins: {multiPoint: {disabled: [{name: '*'}], "
                    "enabled: [{name: NodeName}]}, filter: {enabled: [{name: NodePorts}]}}}"),
            "NodeName NodePorts");
  EXPECT_EQ(filters("{schedulerName: a, plugins: {multiPoint: {enabled: [{name: NodeName}]}, "
                    "filter: {disabled: [{name: '*'}], enabled: [{name: NodePorts}]}}}"),
            "NodePorts");
}

TEST(ProfileConfig, LeavesOutWhatIsNotThereAnyway) {
  EXPECT_EQ(filters("{schedulerName: a, plugins: {filter: {disabled: [{name: VolumeBinding}]}}}"),
            filters("{schedulerName: a}"));
  EXPECT_EQ(filters("{schedulerName: a, plugins: {queueSort: {enabled: [{name: PrioritySort}]}, "
                    "bind: {enabled: [{name: DefaultBinder}]}}}"),
            filters("{schedulerName: a}"));
}

TEST(ProfileConfig, RefusesWhatItDoesNotHave) {
  const std::string nonsense =
      filters("{schedulerName: a, plugins: {filter: {enabled: [{name: Nonsense}]}}}");
  EXPECT_TRUE(
      nonsense.starts_with("profiles[0].plugins.filter.enabled[0]: there is no plugin "
                           "\"Nonsense\"; there are InterPodAffinity, NodeAffinity"))
      << nonsense;
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"{}", "profiles[0]: schedulerName is missing"},
      {"{schedulerName: a, plugins: {filter: {enabled: [{name: VolumeBinding}]}}}",
       "profiles[0].plugins.filter.enabled[0]: Berth does not have the plugin \"VolumeBinding\" "
       "yet"},
      {"{schedulerName: a, plugins: {filters: {}}}",
       "profiles[0].plugins: unknown field \"filters\""},
      {"{schedulerName: a, plugins: {score: {enabled: [{name: NodeAffinity, weight: -1}]}}}",
       "profiles[0].plugins.score.enabled[0]: weight must be from 0 to 1000000"},
      {"{schedulerName: a, percentageOfNodesToScore: -1}",
       "profiles[0]: percentageOfNodesToScore is from 0 to 100"},
      {"{schedulerName: a, pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: "
       "{type: RequestedToCapacityRatio}}}]}",
       "profiles[0].pluginConfig[0].args.scoringStrategy: Berth does not have the scoring strategy "
       "\"RequestedToCapacityRatio\"; there are LeastAllocated and MostAllocated"},
      {"{schedulerName: a, pluginConfig: [{name: NodeAffinity, args: {addedAffinity: {}}}]}",
       "profiles[0].pluginConfig[0]: Berth's NodeAffinity takes no arguments"},
  };
  for (const auto& [yaml, message] : cases) EXPECT_EQ(filters(yaml), message);
}

TEST(ProfileConfig, TakesArguments) {
  EXPECT_TRUE(read("{schedulerName: a, pluginConfig: [{name: NodeResourcesFit, args: {apiVersion: "
                   "kubescheduler.config.k8s.io/v1, kind: NodeResourcesFitArgs, scoringStrategy: "
                   "{type: MostAllocated, resources: [{name: cpu, weight: 3}]}}}]}")
                  .ok());
}

TEST(ProfileConfig, TellsWhichArgumentsChangeNothing) {
  std::vector<std::string> warnings;
  const auto profile = read_profile(
      json::read_one_yaml("{schedulerName: a, pluginConfig: [{name: VolumeBinding, args: "
                          "{bindTimeoutSeconds: 5}}]}")
          .value(),
      "profiles[0]", warnings);
  ASSERT_TRUE(profile.ok());
  EXPECT_EQ(warnings, std::vector<std::string>{
                          "profiles[0].pluginConfig[0]: the arguments of VolumeBinding change "
                          "nothing"});
}

}  // namespace
}  // namespace berth::nodes

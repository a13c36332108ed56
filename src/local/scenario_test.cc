#include "local/scenario.h"

#include <gtest/gtest.h>

namespace berth::local {
namespace {

using namespace std::chrono_literals;
using Kind = ScenarioStep::Kind;

constexpr std::string_view kWhole = R"(about: Everything that there is.
leaseDuration: 2s
scoreRefresh: 5s
clusters:
- {name: a, nodes: 2, labels: {region: north}}
- name: b
placements:
- name: web
  spec: {numberOfClusters: 1}
timeline:
# A comment is no step.
- {at: 0s, load: {a: 20%, b: 100%}}
- at: 10s
  load: {a: 90%}
  over: 1m30s

- {at: 20s, outage: [a, b]}
- {at: 20s, silence: [b]}
- {at: 30s, recovery: [a]}
- {at: 40s, join: [{name: c, nodes: 7}]}
- {at: 50s, expect: {web: [c]}, within: 1m}
- {at: 51s, expect: {web: []}}
)";

std::string error_of(std::string_view text) {
  const auto scenario = read_scenario(text);
  return scenario.ok() ? "none" : scenario.error().message;
}

// The step is on line 4.
std::string error_of_step(std::string_view step) {
  return error_of("clusters: [{name: a}]\nplacements: [{name: web}]\ntimeline:\n- " +
                  std::string(step) + "\n");
}

TEST(Scenario, HasClustersPlacementsAndAPace) {
  const auto scenario = read_scenario(kWhole);
  ASSERT_TRUE(scenario.ok()) << scenario.error().message;
  EXPECT_EQ(scenario->about, "Everything that there is.");
  EXPECT_EQ(scenario->lease_duration, 2s);
  EXPECT_EQ(scenario->score_refresh, 5s);
  ASSERT_EQ(scenario->clusters.size(), 3U);
  EXPECT_EQ(scenario->clusters[0].labels.at("region"), "north");
  EXPECT_EQ(scenario->clusters[1].nodes, 5);
  EXPECT_EQ(scenario->clusters[2].nodes, 7);
  EXPECT_EQ(scenario->first_clusters, (std::set<std::string>{"a", "b"}));
  ASSERT_EQ(scenario->placements.size(), 1U);
  EXPECT_EQ(scenario->placements[0].find_path({"spec", "numberOfClusters"})->as_int(), 1);
}

TEST(Scenario, HasStepsThatKnowTheirLine) {
  const auto scenario = read_scenario(kWhole);
  ASSERT_TRUE(scenario.ok()) << scenario.error().message;
  ASSERT_EQ(scenario->timeline.size(), 8U);
  const auto& timeline = scenario->timeline;
  EXPECT_EQ(timeline[0].line, 12);
  EXPECT_EQ(timeline[0].loads, (std::map<std::string, int>{{"a", 20}, {"b", 100}}));
  EXPECT_EQ(timeline[1].line, 13);
  EXPECT_EQ(timeline[1].over, 90s);
  EXPECT_EQ(timeline[2].line, 17);
  EXPECT_EQ(timeline[2].kind, Kind::Outage);
  EXPECT_EQ(timeline[2].clusters, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(timeline[3].kind, Kind::Silence);
  EXPECT_EQ(timeline[4].kind, Kind::Recovery);
  EXPECT_EQ(timeline[5].clusters, std::vector<std::string>{"c"});
  EXPECT_EQ(timeline[6].within, 60s);
  EXPECT_EQ(timeline[6].decisions.at("web"), std::set<std::string>{"c"});
  EXPECT_EQ(timeline[7].line, 22);
  EXPECT_TRUE(timeline[7].decisions.at("web").empty());
}

TEST(Scenario, ErrorsNameTheLine) {
  EXPECT_EQ(error_of_step("{at: 1s, outage: [b]}"),
            "line 4: there is no cluster \"b\" at that time");
  EXPECT_EQ(error_of_step("{at: 1s, expect: {db: [a]}}"), "line 4: there is no placement \"db\"");
  EXPECT_EQ(error_of_step("{at: 1s, load: {a: 120%}}"), "line 4: a load is said as 0% to 100%");
  EXPECT_EQ(error_of_step("{at: soon, load: {a: 1%}}"),
            "line 4: at must be a length of time, such as 90s or 1m30s");
  EXPECT_EQ(error_of_step("{load: {a: 1%}}"), "line 4: a step needs \"at\", such as at: 30s");
  EXPECT_EQ(error_of_step("{at: 1s}"),
            "line 4: a step needs one of load, outage, silence, recovery, join and expect");
  EXPECT_EQ(error_of_step("{at: 1s, outage: [a], silence: [a]}"),
            "line 4: a step does one thing; write two steps");
  EXPECT_EQ(error_of_step("{at: 1s, outage: [a], within: 3s}"),
            "line 4: only what is expected has \"within\"");
  EXPECT_EQ(error_of_step("{at: 1s, outage: [a], over: 3s}"), "line 4: only a load has \"over\"");
  EXPECT_EQ(error_of_step("{at: 1s, join: [{name: a}]}"), "line 4: there are two clusters \"a\"");
  EXPECT_EQ(error_of_step("{at: 2s, outage: [a]}\n- {at: 1s, recovery: [a]}"),
            "line 5: this is earlier than the step before it");
  EXPECT_EQ(error_of_step("{at: 1s, ouatge: [a]}"),
            "line 4: there is no \"ouatge\"; there are at, load, over, outage, silence, recovery, "
            "join, expect, within");
}

TEST(Scenario, ErrorsOfListsInOneLineNameTheItem) {
  EXPECT_EQ(error_of("clusters: [{name: a}, {name: B}]"),
            "clusters[1]: a cluster needs a name of small letters, digits and -");
  EXPECT_EQ(error_of("clusters: [{name: a, nodes: 0}]"),
            "clusters[0]: nodes must be a number from 1 to 1000");
}

TEST(Scenario, NeedsClustersAndSteps) {
  EXPECT_EQ(error_of("about: nothing"), "clusters: at least one is needed");
  EXPECT_EQ(error_of("clusters: [{name: a}]"), "timeline: at least one step is needed");
  EXPECT_EQ(error_of("leaseDuration: 500ms"), "leaseDuration must be whole seconds, one at least");
  EXPECT_EQ(error_of("clusters: {name: a}"), "clusters: expected a list");
}

}  // namespace
}  // namespace berth::local

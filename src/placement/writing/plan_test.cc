#include "placement/writing/plan.h"

#include <gtest/gtest.h>

#include "placement/testing/fleet_builder.h"

namespace berth::placement {
namespace {

using namespace std::chrono_literals;
using testing::decided;
using testing::FleetBuilder;
using testing::misconfigured;
using testing::parsed;
using testing::placement_object;
using testing::plan;
using testing::satisfied;
using testing::status_patch;
using testing::writes;

// Schedules until nothing changes; returns the settled Placement.
json::Value settle(FleetBuilder& fleet, std::string_view spec, const Options& options = {}) {
  json::Value object = placement_object(spec);
  for (int i = 0; i < 4; ++i) object = fleet.apply(object, plan(fleet, object, options));
  EXPECT_EQ(writes(plan(fleet, object, options)), "");
  return object;
}

std::vector<std::string> reasons(const Plan& planned) {
  std::vector<std::string> all;
  for (const PlannedWrite& write : planned.writes) {
    for (const Notice& notice : write.notices) all.push_back(notice.reason);
  }
  return all;
}

TEST(Plan, F1_TheFirstSuccessCreatesUpdatesAndTellsScores) {
  FleetBuilder fleet;
  fleet.cluster("a").cluster("b");
  const Plan planned = plan(fleet, R"({"numberOfClusters":1})");
  EXPECT_EQ(writes(planned), "create p-decision-1, status p-decision-1, placement");
  EXPECT_EQ(decided(planned, "p-decision-1"), "a");
  EXPECT_EQ(reasons(planned),
            (std::vector<std::string>{"DecisionCreate", "DecisionUpdate", "ScoreUpdate"}));
  EXPECT_TRUE(planned.writes[1].follows_previous);
  EXPECT_EQ(planned.writes[1].body,
            parsed(R"({"metadata":{},"status":{"decisions":[{"clusterName":"a","reason":""}]}})"));
}

TEST(Plan, ACreatedObjectHasLabelsAndAnOwner) {
  FleetBuilder fleet;
  fleet.cluster("a");
  EXPECT_EQ(plan(fleet).writes[0].body, parsed(R"({
    "apiVersion":"cluster.open-cluster-management.io/v1beta1","kind":"PlacementDecision",
    "metadata":{"name":"p-decision-1","namespace":"ns1","labels":{
        "cluster.open-cluster-management.io/decision-group-index":"0",
        "cluster.open-cluster-management.io/decision-group-name":"",
        "cluster.open-cluster-management.io/placement":"p"},
      "ownerReferences":[{"apiVersion":"cluster.open-cluster-management.io/v1beta1",
        "kind":"Placement","name":"p","uid":"uid-p","controller":true,"blockOwnerDeletion":true}]}})"));
}

TEST(Plan, F6_TheStatusHasBothConditionsInOrder) {
  FleetBuilder fleet;
  fleet.cluster("a");
  EXPECT_EQ(plan(fleet, "{}", ocm_exact()).writes.back().body, parsed(R"({
    "metadata":{"uid":"uid-p","resourceVersion":"7"},
    "status":{"numberOfSelectedClusters":1,
      "decisionGroups":[{"decisionGroupIndex":0,"decisionGroupName":"",
                         "decisions":["p-decision-1"],"clusterCount":1}],
      "conditions":[
        {"type":"PlacementMisconfigured","status":"False","reason":"Succeedconfigured",
         "message":"Placement configurations check pass","lastTransitionTime":"1970-01-01T00:16:40Z"},
        {"type":"PlacementSatisfied","status":"True","reason":"AllDecisionsScheduled",
         "message":"All cluster decisions scheduled",
         "lastTransitionTime":"1970-01-01T00:16:40Z"}]}})"));
}

TEST(Plan, ConditionsObserveTheGenerationUnlessExact) {
  FleetBuilder fleet;
  const auto generation = [&fleet](const Options& options) {
    const json::Value status = status_patch(plan(fleet, "{}", options));
    return api::integer_field(status.find("conditions")->elements()[0], "observedGeneration");
  };
  EXPECT_EQ(generation({}), 3);
  EXPECT_EQ(generation(ocm_exact()), std::nullopt);
}

TEST(Plan, F2_NothingIsWrittenWhenNothingChanged) {
  FleetBuilder fleet;
  fleet.clusters(250);
  settle(fleet, "{}");
  FleetBuilder exact;
  exact.clusters(250);
  settle(exact, "{}", ocm_exact());
}

TEST(Plan, E4_DecisionsAreListedByNameNotByScore) {
  FleetBuilder fleet;
  fleet.cluster("a").cluster("b").cluster("c").decision({"b"}).decision({"a"}, "q");
  EXPECT_EQ(decided(plan(fleet, R"({"numberOfClusters":3})"), "p-decision-1"), "a,b,c");
}

TEST(Plan, E5_ManyClustersNeedSeveralObjects) {
  FleetBuilder fleet;
  fleet.clusters(101);
  const Plan planned = plan(fleet);
  EXPECT_EQ(writes(planned),
            "create p-decision-1, status p-decision-1, create p-decision-2, status p-decision-2, "
            "placement");
  EXPECT_EQ(decided(planned, "p-decision-2"), "c0100");
  EXPECT_EQ(*status_patch(planned).find("decisionGroups"),
            parsed(R"([{"decisionGroupIndex":0,"decisionGroupName":"",
                        "decisions":["p-decision-1","p-decision-2"],"clusterCount":101}])"));
}

TEST(Plan, E6_AShiftIsWrittenGrowingFirstUnlessExact) {
  for (const bool exact : {false, true}) {
    const Options options = exact ? ocm_exact() : Options();
    FleetBuilder fleet;
    fleet.clusters(101);
    const json::Value object = settle(fleet, "{}", options);
    fleet.cluster("a");
    const Plan planned = plan(fleet, object, options);
    EXPECT_EQ(writes(planned), exact ? "status p-decision-1, status p-decision-2, placement"
                                     : "status p-decision-2, status p-decision-1, placement");
    EXPECT_EQ(decided(planned, "p-decision-2"), "c0099,c0100");
  }
}

TEST(Plan, E8_ABadGroupSizeWipesInExactModeAndKeepsOtherwise) {
  constexpr std::string_view kBad =
      R"({"decisionStrategy":{"groupStrategy":{"clustersPerDecisionGroup":"2"}}})";
  FleetBuilder fleet;
  fleet.clusters(3);
  json::Value object = settle(fleet, "{}", ocm_exact());
  object["spec"] = parsed(kBad);
  const Plan exact = plan(fleet, object, ocm_exact());
  EXPECT_EQ(writes(exact), "delete p-decision-1, placement");
  EXPECT_EQ(misconfigured(exact), "True Misconfigured :2 invalid type: string is not a percentage");
  EXPECT_EQ(*status_patch(exact).find("decisionGroups"), json::Value::array());
  EXPECT_EQ(status_patch(exact).find("numberOfSelectedClusters"), nullptr);  // Stays 3.
  EXPECT_TRUE(satisfied(exact).starts_with("True AllDecisionsScheduled"));

  const Plan kept = plan(fleet, object);
  EXPECT_EQ(writes(kept), "placement");
  EXPECT_EQ(misconfigured(kept), misconfigured(exact));
  EXPECT_EQ(status_patch(kept).find("decisionGroups"), nullptr);
}

// Three clusters that are decided; then the placement is broken in this way.
class Misconfigured : public ::testing::TestWithParam<std::string_view> {
 protected:
  Misconfigured() {
    fleet_.cluster("a").cluster("b").cluster("c");
    object_ = settle(fleet_, "{}");
    object_["spec"] = parsed(GetParam());
    object_ = fleet_.apply(object_, plan(fleet_, object_));
    EXPECT_EQ(writes(plan(fleet_, object_)), "") << "Everything is kept at first.";
  }

  // What remains after one more plan, which has to be the last.
  std::string kept() {
    object_ = fleet_.apply(object_, plan(fleet_, object_));
    EXPECT_EQ(writes(plan(fleet_, object_)), "");
    std::string names;
    int count = 0;
    for (const auto* decision : fleet_.view().decisions().objects_of({"ns1", "p"})) {
      for (const auto& entry : decision->decisions) names += entry.cluster;
      count += static_cast<int>(decision->decisions.size());
    }
    EXPECT_EQ(*object_.find_path({"status", "numberOfSelectedClusters"}), json::Value(count));
    return names;
  }

  FleetBuilder fleet_;
  json::Value object_;
};

TEST_P(Misconfigured, KeepsNoClusterThatIsTaintedMeanwhile) {
  fleet_.cluster("b", R"({"taints":[{"key":"k","effect":"NoSelect"}]})");
  fleet_.cluster("c", R"({"taints":[{"key":"k","effect":"NoSelectIfNew"}]})");
  EXPECT_EQ(kept(), "ac");
}

TEST_P(Misconfigured, KeepsNoClusterThatIsGone) {
  fleet_.view().remove_cluster("a");
  fleet_.cluster("b", R"({"deleting":true})");
  EXPECT_EQ(kept(), "c");
}

TEST_P(Misconfigured, KeepsNoClusterThatLeavesTheSet) {
  fleet_.cluster("b", R"({"labels":{"cluster.open-cluster-management.io/clusterset":"other"}})");
  EXPECT_EQ(kept(), "ac");
}

TEST_P(Misconfigured, KeepsNothingWithoutABinding) {
  fleet_.view().remove_binding("ns1", "s");
  EXPECT_EQ(kept(), "");
}

constexpr const char* kMisconfigurations[] = {"Mode", "Tolerations", "Predicates", "Groups"};
INSTANTIATE_TEST_SUITE_P(
    Plan, Misconfigured,
    ::testing::Values(R"({"prioritizerPolicy":{"mode":"Foo"}})",
                      R"({"tolerations":[{"key":"other","operator":"Exists","value":"x"}]})",
                      R"({"predicates":[{"requiredClusterSelector":{"labelSelector":
                          {"matchExpressions":[{"key":"k","operator":"Nope"}]}}}]})",
                      R"({"decisionStrategy":{"groupStrategy":{"clustersPerDecisionGroup":"2"}}})"),
    [](const auto& info) { return kMisconfigurations[info.index]; });

TEST(Plan, AMisconfiguredPlacementKeepsOnlyWhatItsPredicatesMatch) {
  FleetBuilder fleet;
  fleet.cluster("a", R"({"labels":{"env":"prod"}})").cluster("b", R"({"labels":{"env":"prod"}})");
  constexpr std::string_view kProd =
      R"({"predicates":[{"requiredClusterSelector":{"labelSelector":{"matchLabels":{"env":"prod"}}}}]})";
  json::Value object = settle(fleet, kProd);
  object["spec"]["prioritizerPolicy"]["mode"] = "Foo";
  fleet.cluster("b", R"({"labels":{"env":"dev"}})");
  EXPECT_EQ(decided(plan(fleet, object), "p-decision-1"), "a");
}

TEST(Plan, AMisconfiguredPlacementWakesWhenATolerationEnds) {
  FleetBuilder fleet;
  constexpr std::string_view kTolerant =
      R"({"tolerations":[{"key":"k","operator":"Exists","tolerationSeconds":60}]})";
  fleet.cluster("a").cluster("b", R"({"taints":[{"key":"k","effect":"NoSelect",
      "timeAdded":"1970-01-01T00:16:40Z"}]})");
  json::Value object = settle(fleet, kTolerant);
  object["spec"]["prioritizerPolicy"]["mode"] = "Foo";
  EXPECT_EQ(plan(fleet, object).valid_until, Time(1060s));
  EXPECT_EQ(plan(fleet, object, ocm_exact()).valid_until, std::nullopt);
  EXPECT_EQ(decided(plan(fleet.at(1060s), object), "p-decision-1"), "a");
}

TEST(Plan, E13_ABadGroupSelectorLeavesTheFirstGroupInExactMode) {
  FleetBuilder fleet;
  fleet.cluster("a", R"({"labels":{"x":"1"}})").cluster("b");
  const Plan planned = plan(fleet, R"({"decisionStrategy":{"groupStrategy":{"decisionGroups":[
      {"groupName":"g0","groupClusterSelector":{"labelSelector":{"matchLabels":{"x":"1"}}}},
      {"groupName":"g1","groupClusterSelector":{"labelSelector":{"matchExpressions":[
          {"key":"k","operator":"Nope"}]}}}]}}})",
                            ocm_exact());
  EXPECT_EQ(decided(planned, "p-decision-1"), "a");
  EXPECT_EQ(misconfigured(planned),
            "True Misconfigured :\"Nope\" is not a valid label selector operator");
  EXPECT_TRUE(satisfied(planned).starts_with("True"));
}

TEST(Plan, E16_ForeignLabelsAreRemovedSilently) {
  FleetBuilder fleet;
  fleet.cluster("a");
  const json::Value object = settle(fleet, "{}");
  api::PlacementDecision edited = *fleet.view().decisions().find({"ns1", "p-decision-1"});
  edited.facts.labels.push_back({"x", "y"});
  fleet.view().put_decision(edited);
  const Plan planned = plan(fleet, object);
  EXPECT_EQ(writes(planned), "labels p-decision-1");
  EXPECT_TRUE(planned.writes[0].body.find_path({"metadata", "labels", "x"})->is_null());
  EXPECT_TRUE(planned.writes[0].notices.empty());
}

TEST(Plan, E17_ForeignObjectsWithTheLabelAreDeleted) {
  FleetBuilder fleet;
  fleet.cluster("a");
  const json::Value object = settle(fleet, "{}");
  api::PlacementDecision foreign{.decisions = {{.cluster = "ghost"}}};
  foreign.facts = {.name = "foreign",
                   .object_namespace = "ns1",
                   .labels = {{std::string(api::kPlacementLabel), "p"}}};
  fleet.view().put_decision(foreign);
  const Plan planned = plan(fleet, object);
  EXPECT_EQ(writes(planned), "delete foreign");
  EXPECT_EQ(reasons(planned), (std::vector<std::string>{"DecisionDelete"}));
}

TEST(Plan, E18_ADeletedObjectIsMadeAgain) {
  FleetBuilder fleet;
  fleet.cluster("a");
  const json::Value object = settle(fleet, "{}");
  fleet.view().remove_decision("ns1", "p-decision-1");
  EXPECT_EQ(writes(plan(fleet, object)), "create p-decision-1, status p-decision-1");
}

TEST(Plan, E19_AnEmptiedObjectStaysWithAnEmptyList) {
  FleetBuilder fleet;
  fleet.cluster("a");
  json::Value object = settle(fleet, "{}");
  fleet.view().remove_cluster("a");
  const Plan planned = plan(fleet, object);
  EXPECT_EQ(writes(planned), "status p-decision-1, placement");
  EXPECT_EQ(*planned.writes[0].body.find("status"), parsed(R"({"decisions":[]})"));
  EXPECT_EQ(reasons(planned), (std::vector<std::string>{"DecisionUpdate"}));
  EXPECT_EQ(*status_patch(planned).find("numberOfSelectedClusters"), json::Value(0));
  object = fleet.apply(object, planned);
  EXPECT_EQ(writes(plan(fleet, object)), "");
}

TEST(Plan, E20_ANameThatIsTooLongGetsAConditionAndNoDecisions) {
  FleetBuilder fleet;
  fleet.cluster("a");
  json::Value object = placement_object();
  const std::string name(70, 'x');
  object["metadata"]["name"] = name;
  for (const Options& options : {Options(), ocm_exact()}) {
    const Plan planned = plan(fleet, object, options);
    EXPECT_EQ(writes(planned), "placement");
    EXPECT_EQ(
        misconfigured(planned),
        "True Misconfigured :values[0][cluster.open-cluster-management.io/placement]: Invalid "
        "value: \"" +
            name + "\": must be no more than 63 bytes");
    EXPECT_EQ(planned.outcome.code, ScheduleOutcome::Code::Misconfigured);
  }
}

TEST(Plan, E21_AnObjectOfTheRightNameIsTakenOver) {
  FleetBuilder fleet;
  fleet.cluster("a");
  api::PlacementDecision stranger;
  stranger.facts = {
      .name = "p-decision-1", .object_namespace = "ns1", .uid = "u", .resource_version = "5"};
  fleet.view().put_decision(stranger);
  const Plan planned = plan(fleet);
  EXPECT_EQ(writes(planned), "status p-decision-1, labels p-decision-1, placement");
  EXPECT_EQ(*planned.writes[0].body.find("metadata"),
            parsed(R"({"uid":"u","resourceVersion":"5"})"));
  EXPECT_EQ(planned.writes[1].body.find_path({"metadata", "ownerReferences"}), nullptr);
}

TEST(Plan, E23_LabelsFollowInTheNextRunInExactMode) {
  FleetBuilder fleet;
  fleet.cluster("a").cluster("b", R"({"labels":{"x":"1"}})").decision({"b"});
  constexpr std::string_view kSpec = R"({"decisionStrategy":{"groupStrategy":{"decisionGroups":[
      {"groupName":"g0","groupClusterSelector":{"labelSelector":{"matchLabels":{"y":"1"}}}},
      {"groupName":"g1","groupClusterSelector":{"labelSelector":{}}}]}}})";
  const Plan exact = plan(fleet, kSpec, ocm_exact());
  EXPECT_EQ(writes(exact), "status p-decision-1, placement");
  EXPECT_TRUE(exact.runs_again);
  fleet.apply(placement_object(kSpec), exact);
  EXPECT_EQ(writes(plan(fleet, kSpec, ocm_exact())), "labels p-decision-1, placement");

  FleetBuilder other;
  other.cluster("a").cluster("b").decision({"b"});
  const Plan at_once = plan(other, kSpec);
  EXPECT_EQ(writes(at_once), "status p-decision-1, labels p-decision-1, placement");
  EXPECT_TRUE(at_once.writes[1].follows_previous);
  EXPECT_FALSE(at_once.runs_again);
}

TEST(Plan, E24_APlacementBeingDeletedIsLeftAlone) {
  FleetBuilder fleet;
  fleet.cluster("a");
  json::Value object = placement_object();
  object["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z";
  EXPECT_TRUE(plan(fleet, object).is_ignored);
  EXPECT_EQ(writes(plan(fleet, object)), "");
}

TEST(Plan, F4_AnExpiredScoreWarnsWithTheUpdate) {
  FleetBuilder fleet;
  fleet.cluster("a").score("a", "demo", {{"load", 1}}, Time(1s));
  const Plan planned = plan(fleet, R"({"prioritizerPolicy":{"mode":"Exact","configurations":[
      {"scoreCoordinate":{"type":"AddOn","addOn":{"resourceName":"demo","scoreName":"load"}},
       "weight":1}]}})");
  const auto& notices = planned.writes[1].notices;
  ASSERT_EQ(notices.size(), 2U);
  EXPECT_EQ(notices[0].type, Notice::Type::Warning);
  EXPECT_TRUE(
      notices[0].note.ends_with(": AddOnPlacementScores a/demo expired in plugin AddOn/demo/load"));
  EXPECT_EQ(notices[1].type, Notice::Type::Normal);
  EXPECT_EQ(planned.outcome.code, ScheduleOutcome::Code::Warning);
}

constexpr std::string_view kByScore = R"({"sortBy":"Score","scoreRateLimit":"30s",
    "prioritizerPolicy":{"mode":"Exact","configurations":[{"scoreCoordinate":{"type":"AddOn",
    "addOn":{"resourceName":"demo","scoreName":"load"}},"weight":1}]}})";

FleetBuilder scored(int a, int b) {
  FleetBuilder fleet;
  fleet.cluster("a").cluster("b").score("a", "demo", {{"load", a}});
  fleet.score("b", "demo", {{"load", b}});
  return fleet;
}

TEST(Plan, D27_SortByScoreTakesEffectUnlessExact) {
  const auto fleet = scored(5, 9);
  const Plan planned = plan(fleet, kByScore);
  EXPECT_EQ(*planned.writes[1].body.find("status"),
            parsed(R"({"decisions":[{"clusterName":"b","reason":"","score":9},
                                    {"clusterName":"a","reason":"","score":5}]})"));
  EXPECT_EQ(*status_patch(planned).find("lastScoreUpdateTime"),
            json::Value("1970-01-01T00:16:40Z"));
  const Plan exact = plan(fleet, kByScore, ocm_exact());
  EXPECT_EQ(
      *exact.writes[1].body.find("status"),
      parsed(R"({"decisions":[{"clusterName":"a","reason":""},{"clusterName":"b","reason":""}]})"));
  EXPECT_EQ(status_patch(exact).find("lastScoreUpdateTime"), nullptr);
}

TEST(Plan, TheGateDecisionScoreWritesScoresInTheOrderOfNames) {
  const Options options{.decision_score = true};
  const Plan planned = plan(scored(0, 9), R"({"prioritizerPolicy":{"mode":"Exact","configurations":[
      {"scoreCoordinate":{"type":"AddOn","addOn":{"resourceName":"demo","scoreName":"load"}},
       "weight":1}]}})",
                            options);
  EXPECT_EQ(*planned.writes[1].body.find("status"),
            parsed(R"({"decisions":[{"clusterName":"a","reason":""},
                                    {"clusterName":"b","reason":"","score":9}]})"));
}

TEST(Plan, ScoresAreRewrittenAtMostOncePerRateLimit) {
  auto fleet = scored(5, 9);
  json::Value object = placement_object(kByScore);
  object = fleet.apply(object, plan(fleet, object));
  fleet.at(1010s).score("a", "demo", {{"load", 20}});
  const Plan held = plan(fleet, object);
  EXPECT_EQ(writes(held), "");
  EXPECT_EQ(held.valid_until, Time(1030s));
  fleet.at(1030s);
  const Plan released = plan(fleet, object);
  EXPECT_EQ(writes(released), "status p-decision-1, placement");
  EXPECT_EQ(decided(released, "p-decision-1"), "a,b");
}

TEST(Plan, MembersNeverWaitForTheRateLimit) {
  auto fleet = scored(5, 9);
  json::Value object = placement_object(kByScore);
  object = fleet.apply(object, plan(fleet, object));
  fleet.at(1010s).cluster("c").score("c", "demo", {{"load", 20}});
  EXPECT_EQ(decided(plan(fleet, object), "p-decision-1"), "c,b,a");
}

TEST(Plan, NoClusterIsEverMissingBetweenTheWritesOfAShift) {
  FleetBuilder fleet;
  fleet.clusters(350);
  const json::Value object = settle(fleet, "{}");
  fleet.cluster("a0").cluster("a1").cluster("c0100x");
  const Plan planned = plan(fleet, object);
  for (const PlannedWrite& write : planned.writes) {
    Plan one;
    one.writes.push_back(write);
    fleet.apply(object, one);
    const PastDecisions past = fleet.view().decisions().past_decisions({"ns1", "p"});
    for (int i = 0; i < 350; ++i) {
      const auto cluster = fleet.view().clusters().find(fmt::format("c{:04}", i));
      EXPECT_TRUE(past.clusters.test(*cluster)) << i << " after " << write.name;
    }
  }
}

}  // namespace
}  // namespace berth::placement

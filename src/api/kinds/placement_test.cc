#include "api/kinds/placement.h"

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::api {
namespace {

using namespace std::chrono_literals;

Placement placement(std::string_view spec) {
  return read_placement(
      json::parse(R"({"metadata":{"name":"p","namespace":"n"},"spec":)" + std::string(spec) + "}")
          .value());
}

TEST(PlacementKind, AnEmptySpecAndWhatGoClientsSendAreTheSame) {
  for (const char* spec : {"{}", R"({"prioritizerPolicy":{"mode":"Additive"},"spreadPolicy":{},
                  "decisionStrategy":{"groupStrategy":{"clustersPerDecisionGroup":0}},
                  "sortBy":"ClusterName","scoreRateLimit":"1m"})"}) {
    const Placement read = placement(spec);
    EXPECT_EQ(read.number_of_clusters, std::nullopt);
    EXPECT_TRUE(read.predicates.empty());
    EXPECT_TRUE(read.configurations.empty());
    EXPECT_EQ(read.group_size, GroupSize(std::int64_t{0}));
    EXPECT_EQ(read.sort_by, SortBy::ClusterName);
    EXPECT_EQ(read.score_rate_limit, 1min);
  }
}

TEST(PlacementKind, ReadsEveryPartOfTheSpec) {
  const Placement read = placement(R"({
    "clusterSets": ["s2", "s1"], "numberOfClusters": -1, "sortBy": "Score", "scoreRateLimit": "30s",
    "predicates": [{"requiredClusterSelector": {
        "labelSelector": {"matchLabels": {"env": "prod"}},
        "claimSelector": {"matchExpressions": [{"key": "zone", "operator": "Exists"}]},
        "celSelector": {"celExpressions": ["true", "false"]}}}],
    "prioritizerPolicy": {"mode": "Exact", "configurations": [
        {"scoreCoordinate": {"type": "AddOn", "addOn": {"resourceName": "r", "scoreName": "s"}},
         "weight": -3}]},
    "spreadPolicy": {"spreadConstraints": [{"topologyKey": "zone", "topologyKeyType": "Claim",
        "maxSkew": 2, "whenUnsatisfiable": "DoNotSchedule"}]},
    "tolerations": [{"key": "k", "operator": "Exists"}],
    "decisionStrategy": {"groupStrategy": {"clustersPerDecisionGroup": "7%", "decisionGroups": [
        {"groupName": "g1", "groupClusterSelector": {"labelSelector": {}}}]}}})");
  EXPECT_EQ(read.cluster_sets, (std::vector<std::string>{"s2", "s1"}));
  EXPECT_EQ(read.number_of_clusters, -1);
  EXPECT_EQ(read.sort_by, SortBy::Score);
  EXPECT_EQ(read.score_rate_limit, 30s);
  ASSERT_EQ(read.predicates.size(), 1U);
  EXPECT_EQ(read.predicates[0].labels.value().to_string(), "env=prod");
  EXPECT_EQ(read.predicates[0].claims.value().to_string(), "zone");
  EXPECT_EQ(read.predicates[0].expressions.size(), 2U);
  ASSERT_EQ(read.configurations.size(), 1U);
  EXPECT_EQ(read.configurations[0].add_on->score, "s");
  EXPECT_EQ(read.configurations[0].weight, -3);
  ASSERT_EQ(read.spread.size(), 1U);
  EXPECT_EQ(read.spread[0].key_type, SpreadConstraint::KeyType::Claim);
  EXPECT_EQ(read.spread[0].skew_max, 2);
  EXPECT_EQ(read.tolerations[0].op, Toleration::Operator::Exists);
  EXPECT_EQ(read.group_size, GroupSize(std::string("7%")));
  EXPECT_EQ(read.groups[0].name, "g1");
}

TEST(PlacementKind, ASelectorThatCannotBeReadIsKeptAsItsError) {
  const Placement read = placement(R"({"predicates":[{"requiredClusterSelector":{"labelSelector":
      {"matchExpressions":[{"key":"a","operator":"Nope"}]}}}]})");
  EXPECT_EQ(read.predicates[0].labels.error().message,
            "\"Nope\" is not a valid label selector operator");
  EXPECT_TRUE(read.predicates[0].claims.ok());
}

TEST(PlacementKind, OnlyTheExactWordDisablesScheduling) {
  for (const auto& [word, disabled] :
       {std::pair("true", true), std::pair("True", false), std::pair("", false)}) {
    json::Value object = json::Value::object();
    object["metadata"]["annotations"][kSchedulingDisableAnnotation] = word;
    EXPECT_EQ(read_placement(object).is_disabled(), disabled) << word;
  }
}

TEST(PlacementKind, ReadsItsStatus) {
  const auto read = read_placement(json::parse(R"({"status":{"numberOfSelectedClusters":3,
    "decisionGroups":[{"decisionGroupIndex":1,"decisionGroupName":"g","decisions":["p-decision-1"],
                       "clusterCount":3}],
    "conditions":[{"type":"X"}],"lastScoreUpdateTime":"1970-01-01T00:00:05Z"}})")
                                       .value());
  EXPECT_EQ(read.status.selected, 3);
  EXPECT_EQ(read.status.groups, (std::vector<DecisionGroupStatus>{{1, "g", {"p-decision-1"}, 3}}));
  EXPECT_EQ(read.status.conditions.size(), 1U);
  EXPECT_EQ(read.status.last_score_update, Time(5s));
}

TEST(PlacementKind, HostileNumbersAndTextsAreHarmless) {
  EXPECT_EQ(placement(R"({"scoreRateLimit":"99999999999999999999h"})").score_rate_limit, 1min);
  EXPECT_EQ(placement(R"({"scoreRateLimit":"999999999h"})").score_rate_limit, 1000000h);
  EXPECT_EQ(placement(R"({"numberOfClusters":1e99})").number_of_clusters, std::nullopt);
  EXPECT_NO_FATAL_FAILURE(placement(R"({"predicates":[3],"tolerations":{},"spreadPolicy":[]})"));
}

}  // namespace
}  // namespace berth::api

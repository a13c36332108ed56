#include "placement/filters/predicate.h"

#include <gtest/gtest.h>

#include "json/print.h"
#include "placement/testing/fleet_builder.h"

namespace berth::placement {
namespace {

using namespace std::chrono_literals;
using testing::chosen;
using testing::FleetBuilder;
using testing::misconfigured;
using testing::parsed;
using testing::plan;
using testing::satisfied;

std::string labels(std::string_view expressions) {
  return fmt::format(R"({{"predicates":[{{"requiredClusterSelector":{{"labelSelector":
      {{"matchExpressions":{}}}}}}}]}})",
                     expressions);
}

std::string claims(std::string_view expressions) {
  return fmt::format(R"({{"predicates":[{{"requiredClusterSelector":{{"claimSelector":
      {{"matchExpressions":{}}}}}}}]}})",
                     expressions);
}

std::string cel(std::string_view expression) {
  json::Value spec = json::Value::object();
  json::Value predicate = json::Value::object();
  predicate["requiredClusterSelector"]["celSelector"]["celExpressions"].push_back(expression);
  spec["predicates"].push_back(predicate);
  return json::print(spec);
}

constexpr std::string_view kBadOperator = R"([{"key":"a","operator":"Nope"}])";

TEST(PredicateFilter, B1_NoPredicatesIsAllCandidates) {
  FleetBuilder fleet;
  fleet.cluster("a").cluster("b");
  EXPECT_EQ(chosen(fleet, R"({"predicates":[]})"), "a:100 b:100");
}

TEST(PredicateFilter, B2_AnEmptyPredicateMatchesAll) {
  FleetBuilder fleet;
  fleet.cluster("a").cluster("b");
  EXPECT_EQ(chosen(fleet, R"({"predicates":[{}]})"), "a:100 b:100");
}

TEST(PredicateFilter, B3_OneBadPredicateSpoilsAll) {
  FleetBuilder fleet;
  fleet.cluster("a");
  const Plan planned = plan(fleet, R"({"predicates":[{},{"requiredClusterSelector":
      {"celSelector":{"celExpressions":["xxxx.expression"]}}}]})");
  EXPECT_EQ(misconfigured(planned),
            "True Misconfigured Predicate:compilation failed: ERROR: <input>:1:1: undeclared "
            "reference to 'xxxx' (in container '')\n | xxxx.expression\n | ^");
  EXPECT_TRUE(satisfied(planned).starts_with("False NoManagedClusterMatched"));
}

TEST(PredicateFilter, B4_ABadSelectorIsNotSeenWithoutCandidates) {
  const Plan planned = plan(FleetBuilder(), labels(kBadOperator));
  EXPECT_TRUE(misconfigured(planned).starts_with("False Succeedconfigured"));
  EXPECT_TRUE(satisfied(planned).starts_with("False AllManagedClusterSetsEmpty"));
}

TEST(PredicateFilter, B5_WeightsAreCheckedWithoutCandidates) {
  const Plan planned = plan(FleetBuilder(), R"({"prioritizerPolicy":{"mode":"Foo"}})");
  EXPECT_EQ(misconfigured(planned), "True Misconfigured :incorrect prioritizer policy mode: Foo");
  EXPECT_TRUE(satisfied(planned).starts_with("False AllManagedClusterSetsEmpty"));
}

TEST(PredicateFilter, B6_NotInMatchesAClusterWithoutTheLabel) {
  FleetBuilder fleet;
  fleet.cluster("a").cluster("b", R"({"labels":{"env":"dev"}})");
  EXPECT_EQ(chosen(fleet, labels(R"([{"key":"env","operator":"NotIn","values":["dev"]}])")),
            "a:100");
}

TEST(PredicateFilter, B7_AClaimValueThatIsNoLabelValueCannotBeAskedFor) {
  FleetBuilder fleet;
  fleet.cluster("a", R"({"claims":{"claim":"has space"}})");
  const Plan planned =
      plan(fleet, claims(R"([{"key":"claim","operator":"In","values":["has space"]}])"));
  EXPECT_TRUE(misconfigured(planned).starts_with(
      "True Misconfigured Predicate:values[0][claim]: Invalid value: \"has space\":"))
      << misconfigured(planned);
}

TEST(PredicateFilter, B8_TheLaterOfTwoEqualClaimsCounts) {
  FleetBuilder fleet;
  fleet.put_cluster(parsed(R"({"metadata":{"name":"a","labels":{
      "cluster.open-cluster-management.io/clusterset":"s"}},"status":{"clusterClaims":[
      {"name":"zone","value":"1"},{"name":"zone","value":"2"}]}})"));
  EXPECT_EQ(chosen(fleet, claims(R"([{"key":"zone","operator":"In","values":["2"]}])")), "a:100");
  EXPECT_EQ(chosen(fleet, claims(R"([{"key":"zone","operator":"In","values":["1"]}])")), "");
}

TEST(PredicateFilter, LabelsClaimsAndExpressionsMustAllMatchWithinOnePredicate) {
  FleetBuilder fleet;
  fleet.cluster("a", R"({"labels":{"env":"prod"},"claims":{"zone":"1"}})");
  fleet.cluster("b", R"({"labels":{"env":"prod"},"claims":{"zone":"2"}})");
  fleet.cluster("c", R"({"claims":{"zone":"1"}})");
  EXPECT_EQ(chosen(fleet, R"({"predicates":[{"requiredClusterSelector":{
      "labelSelector":{"matchLabels":{"env":"prod"}},
      "claimSelector":{"matchExpressions":[{"key":"zone","operator":"In","values":["1"]}]},
      "celSelector":{"celExpressions":["managedCluster.metadata.name != 'x'"]}}}]})"),
            "a:100");
}

TEST(PredicateFilter, OneOfSeveralPredicatesIsEnough) {
  FleetBuilder fleet;
  fleet.cluster("a", R"({"labels":{"x":"1"}})")
      .cluster("b", R"({"labels":{"y":"1"}})")
      .cluster("c");
  EXPECT_EQ(chosen(fleet, R"({"predicates":[
      {"requiredClusterSelector":{"labelSelector":{"matchLabels":{"x":"1"}}}},
      {"requiredClusterSelector":{"labelSelector":{"matchLabels":{"y":"1"}}}}]})"),
            "a:100 b:100");
}

struct CelCase {
  std::string_view expression;
  std::string_view chosen;
};

class CelCases : public ::testing::TestWithParam<CelCase> {};

TEST_P(CelCases, ChoosesTheClusterOrNot) {
  FleetBuilder fleet;
  fleet.cluster("a", R"({"cpu":"1000m","labels":{"json":"{}","env":"prod"}})");
  fleet.score("a", "demo", {{"load", 7}});
  const Plan planned = plan(fleet, cel(GetParam().expression));
  EXPECT_TRUE(misconfigured(planned).starts_with("False")) << misconfigured(planned);
  EXPECT_EQ(chosen(fleet, cel(GetParam().expression)), GetParam().chosen);
}

INSTANTIATE_TEST_SUITE_P(
    B9toB20, CelCases,
    ::testing::Values(
        CelCase{R"(managedCluster.metadata.labels["env"] == "prod")", "a:100"},
        CelCase{R"(managedCluster.metadata.labels["nope"] == "x")", ""},      // B9
        CelCase{R"("abc")", ""}, CelCase{"1 + 1", ""},                        // B10
        CelCase{R"(semver("v1.30.0").major() == 1)", ""},                     // B12
        CelCase{R"(managedCluster.status.allocatable.cpu == "1")", "a:100"},  // B13
        CelCase{R"(managedCluster.scores("demo").exists(s, s.name == "load" && s.value == 7))",
                "a:100"},
        CelCase{R"(managedCluster.scores("missing").size() == 0)", ""},  // B15
        CelCase{R"(managedCluster.scores("missing").size() == 0 || true)", "a:100"},
        CelCase{R"(managedCluster.scores("demo")[0].quantity == 7)", ""},  // B16
        CelCase{R"("{\"n\":2}".parseJSON().n == 2)", "a:100"},             // B18
        CelCase{"dyn(1) == 1.0", "a:100"},                                 // B19
        CelCase{"[1,2].exists_one(x, x == 1)", "a:100"},                   // B21
        CelCase{"managedCluster.spec.hubAcceptsClient == false", "a:100"},
        CelCase{"managedCluster.status.conditions == null", "a:100"},
        CelCase{"has(managedCluster.kind)", ""}));

TEST(PredicateFilter, B11_B17_B19_B21_WhatTheReferenceDoesNotCompileIsMisconfigured) {
  FleetBuilder fleet;
  fleet.cluster("a");
  const std::pair<std::string_view, std::string_view> cases[] = {
      {R"(semver("v1.30.0", true).major() == 1)",
       "found no matching overload for 'semver' applied to '(string, bool)'"},
      {R"(parseJSON("{}").n == 2)", "parseJSON"},
      {"1 == 1.0", "found no matching overload"},
      {"[1,2].existsOne(x, x==1)", "undeclared reference"},
      {"", "Syntax error"}};
  for (const auto& [expression, message] : cases) {
    const std::string condition = misconfigured(plan(fleet, cel(expression)));
    EXPECT_TRUE(condition.starts_with("True Misconfigured Predicate:compilation failed: ERROR: "))
        << expression << ": " << condition;
    EXPECT_TRUE(condition.contains(message)) << condition;
  }
}

TEST(PredicateFilter, B14_AnExpiredScoreIsHiddenUnlessExact) {
  FleetBuilder fleet;
  fleet.at(4000s).cluster("a").score("a", "demo", {{"load", 7}}, Time(400s));
  const std::string spec = cel(R"(managedCluster.scores("demo")[0].value == 7)");
  EXPECT_EQ(chosen(fleet, spec), "");
  EXPECT_EQ(chosen(fleet, spec, ocm_exact()), "a:100");
}

TEST(PredicateFilter, TheAnswerHoldsUntilAReportThatAnExpressionReadsExpires) {
  FleetBuilder fleet;
  fleet.cluster("a").cluster("b").score("a", "demo", {{"load", 7}}, Time(1500s));
  fleet.score("b", "other", {{"load", 7}}, Time(1200s));
  const auto until = [&fleet](std::string_view expression, const Options& options = {}) {
    return testing::schedule(fleet, cel(expression), options).valid_until;
  };
  EXPECT_EQ(until(R"(managedCluster.scores("demo").size() > 0)"), Time(1500s));
  EXPECT_EQ(until(R"(managedCluster.scores("de" + "mo").size() > 0)"), Time(1200s));
  EXPECT_EQ(until("true"), std::nullopt);
  EXPECT_EQ(until(R"(managedCluster.scores("demo").size() > 0)", ocm_exact()), std::nullopt);
}

TEST(PredicateFilter, B20_AnEndlessExpressionIsNoMatchAndTold) {
  FleetBuilder fleet;
  fleet.cluster("a");
  const std::string hundred = "[1,2,3,4,5,6,7,8,9,10].map(a, [1,2,3,4,5,6,7,8,9,10].map(b, a*b))";
  const std::string loops = fmt::format(
      "{0}.all(x, {0}.all(y, {0}.all(z, {0}.all(w, {0}.all(v, {0}.all(u, true))))))", hundred);
  const Plan planned = plan(fleet, cel(loops));
  EXPECT_TRUE(misconfigured(planned).starts_with("False"));
  EXPECT_NE(satisfied(planned).find("expressions cost more than is allowed on 1 of 1 clusters"),
            std::string::npos)
      << satisfied(planned);
  EXPECT_EQ(chosen(fleet, cel(loops)), "");
}

constexpr std::string_view kCostly = "[1,2,3,4,5,6,7,8,9].all(a, [1,2,3,4,5,6,7,8,9].all(b, true))";

TEST(PredicateFilter, AllClustersTogetherHaveABudgetAndTheConditionTellsOfIt) {
  FleetBuilder fleet;
  fleet.clusters(20);
  const Plan within = plan(fleet, cel(kCostly), {.expression_budget = 20'000});
  EXPECT_TRUE(misconfigured(within).starts_with("False")) << misconfigured(within);
  const Plan beyond = plan(fleet, cel(kCostly), {.expression_budget = 5'000});
  EXPECT_EQ(misconfigured(beyond),
            "True Misconfigured Predicate:one expression costs about 400 on one cluster, and all "
            "of them on all clusters may cost 5000: make them cheaper, or ask them of fewer "
            "clusters (labels, claims and cluster sets are looked at first)");
  EXPECT_EQ(chosen(fleet, cel(kCostly), {.expression_budget = 5'000}), "");
}

TEST(PredicateFilter, WithoutABudgetLeftDecisionsStayThatNothingSpeaksAgainst) {
  FleetBuilder fleet;
  fleet.clusters(20).decision({"c0000", "c0015", "c0019"});
  const std::string expression =
      fmt::format("managedCluster.metadata.name != 'c0000' && {}", kCostly);
  const Plan planned = plan(fleet, cel(expression), {.expression_budget = 5'000});
  EXPECT_EQ(testing::decided(planned, "p-decision-1"), "c0015,c0019");
}

TEST(PredicateFilter, AsTheReferenceThereIsNoBudget) {
  FleetBuilder fleet;
  fleet.clusters(3);
  EXPECT_EQ(ocm_exact().expression_budget, std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(testing::schedule(fleet, cel(kCostly), ocm_exact()).chosen.size(), 3U);
}

TEST(PredicateFilter, ObjectionsNameTheActualValues) {
  FleetBuilder fleet;
  fleet.cluster("a", R"({"labels":{"env":"dev"}})");
  const auto verdict =
      explain_cluster(testing::compiled(labels(R"([{"key":"env","operator":"In","values":["prod"]},
                                   {"key":"gpu","operator":"Exists"}])")),
                      fleet.view(), fleet.now(), {}, "a");
  EXPECT_EQ(verdict.rejected_by, "Predicate");
  ASSERT_EQ(verdict.objections.size(), 2U);
  EXPECT_EQ(verdict.objections[0].reason, "label env is \"dev\", wanted env in (prod)");
  EXPECT_EQ(verdict.objections[1].reason, "label gpu is absent, wanted gpu");
  EXPECT_EQ(verdict.remedies, (std::vector<std::string>{"label env in (prod)", "label gpu"}));
}

}  // namespace
}  // namespace berth::placement

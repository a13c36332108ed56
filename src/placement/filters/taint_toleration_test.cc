#include "placement/filters/taint_toleration.h"

#include <gtest/gtest.h>

#include "placement/testing/fleet_builder.h"

namespace berth::placement {
namespace {

using namespace std::chrono_literals;
using testing::chosen;
using testing::FleetBuilder;
using testing::misconfigured;
using testing::plan;

// A taint k that was added at 1000 s, the builder's present.
std::string tainted(std::string_view effect, std::string_view added = "1970-01-01T00:16:40Z") {
  return fmt::format(R"({{"taints":[{{"key":"k","effect":"{}","timeAdded":"{}"}}]}})", effect,
                     added);
}

std::string tolerating(std::string_view tolerations) {
  return fmt::format(R"({{"tolerations":{}}})", tolerations);
}

std::string for_seconds(std::string_view seconds) {
  return tolerating(
      fmt::format(R"([{{"key":"k","operator":"Exists","tolerationSeconds":{}}}])", seconds));
}

TEST(TaintToleration, C1_PreferNoSelectIsAvoidedUnlessExact) {
  FleetBuilder fleet;
  fleet.cluster("a", tainted("PreferNoSelect")).cluster("b");
  EXPECT_EQ(chosen(fleet, R"({"numberOfClusters":1})", ocm_exact()), "a:100");
  EXPECT_EQ(chosen(fleet, R"({"numberOfClusters":1})"), "b:100");
  EXPECT_EQ(chosen(fleet, R"({"numberOfClusters":2})"), "b:100 a:100");
  EXPECT_EQ(
      chosen(fleet, R"({"numberOfClusters":1,"tolerations":[{"key":"k","operator":"Exists"}]})"),
      "a:100");
}

TEST(TaintToleration, C2_C3_NoSelectIfNewSparesIncumbents) {
  FleetBuilder fleet;
  fleet.cluster("a", tainted("NoSelectIfNew")).cluster("b", tainted("NoSelectIfNew"));
  fleet.decision({"b"});
  EXPECT_EQ(chosen(fleet), "b:200");
}

TEST(TaintToleration, C4_AnEvictedIncumbentIsNewAgain) {
  FleetBuilder fleet;
  fleet.cluster("b", tainted("NoSelect")).decision({"b"});
  json::Value object = testing::placement_object();
  object = fleet.apply(object, plan(fleet, object));
  fleet.cluster("b", tainted("NoSelectIfNew"));
  EXPECT_EQ(chosen(fleet), "");
}

TEST(TaintToleration, C5_ATaintWithoutATimeHasLongExpired) {
  FleetBuilder fleet;
  fleet.cluster("a", R"({"taints":[{"key":"k","effect":"NoSelect","timeAdded":null}]})");
  EXPECT_EQ(chosen(fleet, for_seconds("3600")), "");
}

TEST(TaintToleration, C6_C7_C8_SecondsAreCountedInWrappingNanoseconds) {
  FleetBuilder fleet;
  fleet.cluster("a", tainted("NoSelect"));
  EXPECT_EQ(chosen(fleet, for_seconds("9223372036")), "a:100");
  EXPECT_EQ(chosen(fleet, for_seconds("9223372037")), "");
  EXPECT_EQ(chosen(fleet, for_seconds("9223372036854775807")), "");
  EXPECT_EQ(chosen(fleet, for_seconds("-5")), "");
}

TEST(TaintToleration, C9_C10_SecondsCountForNoSelectIfNewToo) {
  FleetBuilder fleet;
  fleet.cluster("a", tainted("NoSelectIfNew", "1970-01-01T00:00:00Z"));
  EXPECT_EQ(chosen(fleet, for_seconds("60")), "");
  fleet.decision({"a"});
  EXPECT_EQ(chosen(fleet, for_seconds("60")), "a:200");
}

TEST(TaintToleration, C11_TheFirstTolerationThatHoldsSaysWhenToLookAgain) {
  FleetBuilder fleet;
  fleet.cluster("a", tainted("NoSelect")).decision({"a"});
  const std::string spec = tolerating(
      R"([{"key":"k","operator":"Exists","tolerationSeconds":60},{"operator":"Exists"}])");
  EXPECT_EQ(testing::schedule(fleet, spec).valid_until, Time(1060s));
  EXPECT_EQ(testing::schedule(fleet, spec, ocm_exact()).valid_until, Time(1060s));
  EXPECT_EQ(testing::schedule(fleet.at(1060s), spec).valid_until, std::nullopt);
  EXPECT_EQ(chosen(fleet, spec), "a:200");
}

TEST(TaintToleration, C12_ATimerIsSetFromTheFirstRunUnlessExact) {
  FleetBuilder fleet;
  fleet.cluster("a", tainted("NoSelect"));
  EXPECT_EQ(testing::schedule(fleet, for_seconds("60")).valid_until, Time(1060s));
  EXPECT_EQ(testing::schedule(fleet, for_seconds("60"), ocm_exact()).valid_until, std::nullopt);
  fleet.decision({"a"});
  EXPECT_EQ(testing::schedule(fleet, for_seconds("60"), ocm_exact()).valid_until, Time(1060s));
}

TEST(TaintToleration, ATolerationHoldsStrictlyBeforeItsEnd) {
  FleetBuilder fleet;
  fleet.cluster("a", tainted("NoSelect"));
  EXPECT_EQ(chosen(fleet.at(1059s), for_seconds("60")), "a:100");
  EXPECT_EQ(chosen(fleet.at(1060s), for_seconds("60")), "");
}

TEST(TaintToleration, ExactTimersAlsoCountIncumbentsThatAreNoLongerEligible) {
  FleetBuilder fleet;
  fleet.cluster("a", R"({"labels":{"cluster.open-cluster-management.io/clusterset":"other"},
      "taints":[{"key":"k","effect":"NoSelect","timeAdded":"1970-01-01T00:16:40Z"}]})");
  fleet.decision({"a"});
  EXPECT_EQ(testing::schedule(fleet, for_seconds("60"), ocm_exact()).valid_until, Time(1060s));
}

TEST(TaintToleration, C13_WithoutAnOperatorTheValueMustBeEqual) {
  FleetBuilder fleet;
  fleet.cluster("a", R"({"taints":[{"key":"k","value":"v","effect":"NoSelect"}]})");
  EXPECT_EQ(chosen(fleet, tolerating(R"([{"key":"k"}])")), "");
  EXPECT_EQ(chosen(fleet, tolerating(R"([{"key":"k","value":"v"}])")), "a:100");
}

TEST(TaintToleration, C14_C16_MeaninglessTolerationsAreMisconfigured) {
  FleetBuilder fleet;
  fleet.cluster("a");
  EXPECT_EQ(misconfigured(plan(fleet, tolerating(R"([{"operator":"Equal"}])"))),
            "True Misconfigured TaintToleration:If the key is empty, operator must be Exists.");
  EXPECT_EQ(
      misconfigured(plan(fleet, tolerating(R"([{"key":"k","operator":"Exists","value":"v"}])"))),
      "True Misconfigured TaintToleration:If the operator is Exists, the value should be empty.");
}

TEST(TaintToleration, C14_DecisionsAreEmptiedInExactModeAndKeptOtherwise) {
  FleetBuilder fleet;
  fleet.cluster("a").decision({"a"});
  const std::string bad = tolerating(R"([{"operator":"Equal"}])");
  const Plan exact = plan(fleet, bad, ocm_exact());
  EXPECT_EQ(testing::writes(exact), "status p-decision-1, placement");
  EXPECT_EQ(testing::decided(exact, "p-decision-1"), "");
  const Plan kept = plan(fleet, bad);
  EXPECT_EQ(testing::writes(kept), "placement");
  EXPECT_TRUE(misconfigured(kept).starts_with("True Misconfigured TaintToleration:"));
  EXPECT_TRUE(testing::satisfied(kept).starts_with("False NotAllDecisionsScheduled"));
}

TEST(TaintToleration, C15_NothingIsCheckedWhenPredicatesLeaveNobody) {
  FleetBuilder fleet;
  fleet.cluster("a");
  EXPECT_TRUE(misconfigured(plan(fleet, R"({"tolerations":[{"operator":"Equal"}],"predicates":[
      {"requiredClusterSelector":{"labelSelector":{"matchLabels":{"x":"y"}}}}]})"))
                  .starts_with("False"));
}

TEST(TaintToleration, C17_AnUnknownOperatorNeverMatches) {
  FleetBuilder fleet;
  fleet.cluster("a", tainted("NoSelect"));
  EXPECT_EQ(chosen(fleet, tolerating(R"([{"key":"k","operator":"Foo"}])")), "");
  EXPECT_TRUE(misconfigured(plan(fleet, tolerating(R"([{"key":"k","operator":"Foo"}])")))
                  .starts_with("False"));
}

TEST(TaintToleration, C18_TheEffectMustBeTheSame) {
  FleetBuilder fleet;
  fleet.cluster("a", tainted("NoSelect"));
  EXPECT_EQ(
      chosen(fleet, tolerating(R"([{"key":"k","operator":"Exists","effect":"PreferNoSelect"}])")),
      "");
}

TEST(TaintToleration, C20_EveryTaintMustBeTolerated) {
  FleetBuilder fleet;
  fleet.cluster("a",
                R"({"taints":[{"key":"k","effect":"NoSelect"},{"key":"l","effect":"NoSelect"}]})");
  EXPECT_EQ(chosen(fleet, tolerating(R"([{"key":"k","operator":"Exists"}])")), "");
}

TEST(TaintToleration, ObjectionsNameTheTaint) {
  FleetBuilder fleet;
  fleet.cluster("a", tainted("NoSelect", "1970-01-01T00:00:00Z"));
  const auto explain = [&fleet](std::string_view spec) {
    return explain_cluster(testing::compiled(spec), fleet.view(), fleet.now(), {}, "a");
  };
  EXPECT_EQ(explain("{}").objections[0].reason, "taint k:NoSelect is not tolerated");
  EXPECT_EQ(explain("{}").remedies[0], "a toleration for k:NoSelect");
  EXPECT_EQ(explain(for_seconds("60")).objections[0].reason,
            "taint k:NoSelect is no longer tolerated");
}

}  // namespace
}  // namespace berth::placement

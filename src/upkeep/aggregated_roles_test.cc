#include "upkeep/aggregated_roles.h"

#include <gtest/gtest.h>

#include "json/parse.h"
#include "json/print.h"

namespace berth::upkeep {
namespace {

json::Value parsed(std::string_view text) { return json::parse(text).value(); }

const json::Value kAdmin = parsed(R"({"metadata":{"name":"admin","labels":{"to":"admin"}},
    "aggregationRule":{"clusterRoleSelectors":[{"matchLabels":{"to":"admin"}},
                                               {"matchLabels":{"also":"admin"}}]}})");
const json::Value kB = parsed(R"({"metadata":{"name":"b","labels":{"to":"admin"}},
    "rules":[{"verbs":["b"]},{"verbs":["shared"]}]})");
const json::Value kA = parsed(R"({"metadata":{"name":"a","labels":{"to":"admin","also":"admin"}},
    "rules":[{"verbs":["a"]},{"verbs":["shared"]}]})");
const json::Value kOther = parsed(R"({"metadata":{"name":"c"},"rules":[{"verbs":["c"]}]})");

std::string rules(const json::Value& role, const std::vector<const json::Value*>& roles) {
  const auto after = aggregate(role, roles);
  if (!after) return "nothing";
  return after->find("rules") ? json::print(*after->find("rules")) : "none";
}

TEST(AggregatedRoles, TakeEveryRuleOfTheChosenOnceInOrderOfNames) {
  EXPECT_EQ(rules(kAdmin, {&kAdmin, &kB, &kOther, &kA}),
            R"([{"verbs":["a"]},{"verbs":["shared"]},{"verbs":["b"]}])");
}

TEST(AggregatedRoles, StayAsTheyAreWhenNothingChanged) {
  const auto once = aggregate(kAdmin, {&kA, &kB});
  EXPECT_EQ(aggregate(*once, {&*once, &kA, &kB}), once);
  EXPECT_EQ(aggregate(kAdmin, {&kAdmin}), kAdmin);
}

TEST(AggregatedRoles, LoseTheRulesOfRolesThatAreGone) {
  const auto once = aggregate(kAdmin, {&kA, &kB});
  EXPECT_EQ(rules(*once, {&*once}), "[]");
}

TEST(AggregatedRoles, AreNotThoseWithoutSelectorsOrWithBrokenOnes) {
  EXPECT_EQ(rules(kB, {&kA}), "nothing");
  const json::Value broken = parsed(R"({"metadata":{"name":"x"},"aggregationRule":
      {"clusterRoleSelectors":[{"matchExpressions":[{"key":"a","operator":"Sideways"}]}]}})");
  EXPECT_EQ(rules(broken, {&kA}), "nothing");
}

}  // namespace
}  // namespace berth::upkeep

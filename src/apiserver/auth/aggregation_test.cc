#include "apiserver/auth/aggregation.h"

#include <gtest/gtest.h>

#include "json/yaml_read.h"

namespace berth::apiserver {
namespace {

std::vector<json::Value> roles(std::string_view yaml) {
  const json::Value list = json::read_one_yaml(yaml).value();
  return {list.elements().begin(), list.elements().end()};
}

constexpr std::string_view kChain = R"(
- metadata: {name: top}
  aggregationRule: {clusterRoleSelectors: [{matchLabels: {to: top}}]}
- metadata: {name: middle, labels: {to: top}}
  aggregationRule: {clusterRoleSelectors: [{matchLabels: {to: middle}}, {matchLabels: {also: middle}}]}
- {metadata: {name: b, labels: {to: middle}},
   rules: [{verbs: [get], apiGroups: [b], resources: [b]}]}
- {metadata: {name: a, labels: {to: middle}},
   rules: [{verbs: [get], apiGroups: [a], resources: [a]}]}
- {metadata: {name: c, labels: {also: middle}},
   rules: [{verbs: [get], apiGroups: [a], resources: [a]}]}
- {metadata: {name: other}, rules: [{verbs: [get], apiGroups: [x], resources: [x]}]}
)";

TEST(Aggregation, GathersBySelectorThenByNameEachRuleOnce) {
  const auto all = roles(kChain);
  const json::Value expected = json::read_one_yaml(R"(
- {verbs: [get], apiGroups: [a], resources: [a]}
- {verbs: [get], apiGroups: [b], resources: [b]}
)")
                                   .value();
  EXPECT_EQ(aggregated_rules(all[1], all).value(), expected);
  EXPECT_EQ(aggregated_rules(all[5], all).value(), std::nullopt);
}

TEST(Aggregation, FollowsChainsToTheirEnd) {
  const auto all = aggregate_all(roles(kChain));
  EXPECT_EQ(all[0].find("rules")->size(), 2U);
  EXPECT_EQ(*all[0].find("rules"), *all[1].find("rules"));
}

TEST(Aggregation, SettlesOnARingAndDoesNotGatherItself) {
  const auto all = aggregate_all(roles(R"(
- {metadata: {name: a, labels: {ring: one}},
   aggregationRule: {clusterRoleSelectors: [{matchLabels: {ring: one}}]}}
- {metadata: {name: b, labels: {ring: one}},
   aggregationRule: {clusterRoleSelectors: [{matchLabels: {ring: one}}]}}
- {metadata: {name: c, labels: {ring: one}}, rules: [{verbs: [get], apiGroups: [a], resources: [a]}]}
)"));
  EXPECT_EQ(all[0].find("rules")->size(), 1U);
  EXPECT_EQ(all[1].find("rules")->size(), 1U);
}

TEST(Aggregation, ASelectorThatCannotBeReadIsAnErrorAndChangesNothing) {
  const auto all = roles(R"(
- metadata: {name: a}
  aggregationRule: {clusterRoleSelectors: [{matchExpressions: [{key: x, operator: Near}]}]}
  rules: [{verbs: [get], apiGroups: [a], resources: [a]}]
)");
  EXPECT_FALSE(aggregated_rules(all[0], all).ok());
  EXPECT_EQ(aggregate_all(all)[0], all[0]);
}

}  // namespace
}  // namespace berth::apiserver

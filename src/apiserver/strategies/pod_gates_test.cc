#include "apiserver/strategies/pod_gates.h"

#include <string>

#include <gtest/gtest.h>

#include "json/yaml_read.h"

namespace berth::apiserver {
namespace {

std::string affinity(std::string_view terms) {
  return "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
         "{nodeSelectorTerms: " +
         std::string(terms) + "}}}";
}

std::string refusal(const std::string& before, const std::string& after) {
  const auto causes = check_gates(
      json::read_one_yaml("{schedulingGates: [{name: g}, {name: h}], " + before + "}").value(),
      json::read_one_yaml("{schedulingGates: [{name: h}], " + after + "}").value());
  return causes.empty() ? "" : causes[0].message;
}

TEST(PodGates, LetThePlacementBecomeNarrower) {
  EXPECT_EQ(refusal("nodeSelector: {a: b}", "nodeSelector: {a: b, c: d}"), "");
  EXPECT_EQ(refusal("", affinity("[{matchExpressions: [{key: a}]}]")), "");
  EXPECT_EQ(refusal(affinity("[{matchExpressions: [{key: a}]}]"),
                    affinity("[{matchExpressions: [{key: a}, {key: b}]}]")),
            "");
}

TEST(PodGates, DoNotLetItBecomeWider) {
  EXPECT_NE(refusal("nodeSelector: {a: b}", "nodeSelector: {a: c}"), "");
  EXPECT_NE(refusal("nodeSelector: {a: b}", ""), "");
  EXPECT_NE(refusal(affinity("[{matchExpressions: [{key: a}]}]"), ""), "");
  EXPECT_NE(refusal(affinity("[{matchExpressions: [{key: a}]}]"),
                    affinity("[{matchExpressions: [{key: b}]}]")),
            "");
  EXPECT_NE(refusal(affinity("[{}]"), affinity("[{matchFields: [{key: b}]}]")), "");
  EXPECT_NE(refusal(affinity("[{matchFields: [{key: a}]}]"),
                    affinity("[{matchFields: [{key: a}]}, {matchFields: [{key: b}]}]")),
            "");
}

TEST(PodGates, WithoutThemThePlacementIsNotLookedAt) {
  const auto before = json::read_one_yaml("nodeSelector: {a: b}").value();
  const auto after = json::read_one_yaml("nodeSelector: {c: d}").value();
  EXPECT_TRUE(check_gates(before, after).empty());
  EXPECT_EQ(with_old_placement(after, before), after);
}

TEST(PodGates, PutTheOldPlacementBackForComparisons) {
  const auto before = json::read_one_yaml(
                          "{schedulingGates: [{name: g}], nodeSelector: {a: b}, affinity: "
                          "{nodeAffinity: {x: 1}, podAffinity: {z: 1}}}")
                          .value();
  const auto after = json::read_one_yaml(
                         "{nodeSelector: {c: d}, affinity: {nodeAffinity: {x: 2}, podAffinity: {z: "
                         "2}}}")
                         .value();
  EXPECT_EQ(with_old_placement(after, before),
            json::read_one_yaml("{nodeSelector: {a: b}, affinity: {nodeAffinity: {x: 1}, "
                                "podAffinity: {z: 2}}}")
                .value());
}

}  // namespace
}  // namespace berth::apiserver

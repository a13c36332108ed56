#include "api/cluster_taints.h"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace berth::api {
namespace {

using Operator = Toleration::Operator;

constexpr Time kAdded = Time::from_unix(1000);

Taint taint(std::string_view key, TaintEffect effect = TaintEffect::NoSelect) {
  return {.key = std::string(key), .effect = effect, .time_added = kAdded};
}

Toleration toleration(std::string_view key, std::optional<std::int64_t> seconds = std::nullopt) {
  return {.key = std::string(key), .op = Operator::Exists, .seconds = seconds};
}

ClusterTaintVerdict judge(const std::vector<Taint>& taints,
                          const std::vector<Toleration>& tolerations, std::int64_t now = 1000) {
  return judge_cluster_taints(taints, tolerations,
                              {.already_selected = false, .now = Time::from_unix(now)});
}

TEST(ClusterTaints, EveryTaintMustBeTolerated) {
  const std::vector<Taint> taints = {taint("a"), taint("b")};
  EXPECT_EQ(judge(taints, {toleration("a")}).untolerated, &taints[1]);
  EXPECT_EQ(judge(taints, {toleration("a"), toleration("b")}).untolerated, nullptr);
  EXPECT_EQ(judge(taints, {toleration("")}).untolerated, nullptr);
}

TEST(ClusterTaints, PreferNoSelectNeverHinders) {
  EXPECT_EQ(judge({taint("a", TaintEffect::PreferNoSelect)}, {}).untolerated, nullptr);
}

TEST(ClusterTaints, NoSelectIfNewHindersOnlyNewClusters) {
  const std::vector<Taint> taints = {taint("a", TaintEffect::NoSelectIfNew)};
  EXPECT_EQ(judge(taints, {}).untolerated, &taints[0]);
  const std::vector<Toleration> expired = {toleration("a", -1)};
  const auto verdict =
      judge_cluster_taints(taints, expired, {.already_selected = true, .now = kAdded});
  EXPECT_EQ(verdict.untolerated, nullptr);
  EXPECT_EQ(verdict.expires, std::nullopt);
}

TEST(ClusterTaints, TolerationEndsAtItsLastInstant) {
  const std::vector<Taint> taints = {taint("a")};
  EXPECT_EQ(judge(taints, {toleration("a", 60)}, 1059).expires, Time::from_unix(1060));
  EXPECT_EQ(judge(taints, {toleration("a", 60)}, 1060).untolerated, &taints[0]);
  EXPECT_EQ(judge(taints, {toleration("a", -5)}, 900).expires, Time::from_unix(995));
}

TEST(ClusterTaints, WithoutTimeAddedALimitedTolerationHasExpired) {
  const std::vector<Taint> taints = {{.key = "a", .effect = TaintEffect::NoSelect}};
  EXPECT_EQ(judge(taints, {toleration("a", 9'000'000'000)}).untolerated, &taints[0]);
  EXPECT_EQ(judge(taints, {toleration("a")}).untolerated, nullptr);
}

TEST(ClusterTaints, HugeTolerationsLastInsteadOfWrapping) {
  constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(judge({taint("a")}, {toleration("a", kHuge)}).expires, Time::max());
  EXPECT_EQ(judge({taint("a")}, {toleration("a", 9'223'372'037)}).untolerated, nullptr);
}

TEST(ClusterTaints, TheFirstFittingTolerationCountsAndTheEarliestExpiryWins) {
  const std::vector<Taint> taints = {taint("a"), taint("b")};
  const auto verdict = judge(
      taints, {toleration("a", 60), toleration("a"), toleration("b", 30), toleration("b", 90)});
  EXPECT_EQ(verdict.untolerated, nullptr);
  EXPECT_EQ(verdict.expires, Time::from_unix(1030));
  EXPECT_EQ(judge(taints, {toleration("a", 60), toleration("a"), toleration("b")}, 1070).expires,
            std::nullopt)
      << "an expired one makes room for the next";
}

TEST(ClusterTaints, RefusesTolerationsThatMeanNothing) {
  const auto message = [](Toleration wrong) {
    return check_cluster_tolerations(std::vector{std::move(wrong)}).error().message;
  };
  EXPECT_EQ(message({.value = "x"}), "If the key is empty, operator must be Exists.");
  EXPECT_EQ(message({.key = "a", .op = Operator::Exists, .value = "x"}),
            "If the operator is Exists, the value should be empty.");
  EXPECT_TRUE(check_cluster_tolerations(std::vector{toleration("")}).ok());
}

}  // namespace
}  // namespace berth::api

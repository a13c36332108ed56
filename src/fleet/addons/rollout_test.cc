#include "fleet/addons/rollout.h"

#include <gtest/gtest.h>

#include "base/strings.h"

namespace berth::fleet {
namespace {

using namespace std::chrono_literals;
using State = RolloutState;

const Time kNow = Time::from_unix(10'000);

std::string list(const std::set<std::string>& clusters) {
  return join({clusters.begin(), clusters.end()}, " ");
}

std::vector<RolloutGroup> two_groups() {
  return {{.name = "canary", .index = 0, .clusters = {"a", "b"}},
          {.name = "rest", .index = 1, .clusters = {"c", "d", "e"}}};
}

std::vector<ClusterRollout> states(std::vector<std::pair<std::string, State>> all) {
  std::vector<ClusterRollout> result;
  for (auto& [cluster, state] : all) {
    result.push_back({.cluster = cluster, .state = state, .since = kNow - 100s});
  }
  return result;
}

Rollout rolled(const RolloutStrategy& strategy, const std::vector<ClusterRollout>& known) {
  return roll_out(strategy, two_groups(), known, kNow).value();
}

TEST(RollingOut, HandsAChangeToAllAtOnceUnlessAskedOtherwise) {
  const Rollout rollout = rolled({}, states({{"a", State::Succeeded}, {"b", State::ToApply}}));
  EXPECT_EQ(list(rollout.clusters), "b c d e");
}

TEST(RollingOut, WaitsForThoseUnderWayBeforeTheNextBegin) {
  const RolloutStrategy strategy{.type = RolloutType::Progressive, .concurrency = std::int64_t{2}};
  const auto clusters = [&](std::vector<std::pair<std::string, State>> known) {
    return list(rolled(strategy, states(std::move(known))).clusters);
  };
  EXPECT_EQ(clusters({}), "a b");
  EXPECT_EQ(clusters({{"a", State::Progressing}, {"b", State::Progressing}}), "a b");
  EXPECT_EQ(clusters({{"a", State::Succeeded}, {"b", State::Progressing}}), "b c");
  EXPECT_EQ(clusters({{"a", State::Succeeded},
                      {"b", State::Succeeded},
                      {"c", State::Succeeded},
                      {"d", State::Succeeded},
                      {"e", State::ToApply}}),
            "e");
}

TEST(RollingOut, CountsThoseUnderWayWhereverTheirNamesStand) {
  const RolloutStrategy strategy{.type = RolloutType::Progressive, .concurrency = std::int64_t{2}};
  const auto clusters = [&](std::vector<std::pair<std::string, State>> known) {
    return list(rolled(strategy, states(std::move(known))).clusters);
  };
  EXPECT_EQ(clusters({{"a", State::ToApply}, {"b", State::ToApply}, {"e", State::Progressing}}),
            "a e");
  EXPECT_EQ(clusters({{"a", State::ToApply}, {"d", State::Progressing}, {"e", State::Progressing}}),
            "d e");
}

TEST(RollingOut, BeginsInTheOrderOfNamesWhateverWasSeenFirst) {
  const RolloutStrategy strategy{.type = RolloutType::Progressive, .concurrency = std::int64_t{2}};
  const Rollout rollout = rolled(strategy, states({{"a", State::ToApply}, {"e", State::ToApply}}));
  EXPECT_EQ(list(rollout.clusters), "a b");
}

TEST(RollingOut, FinishesMandatoryGroupsFirstWithoutASingleFailure) {
  const RolloutStrategy strategy{.type = RolloutType::Progressive,
                                 .mandatory = {{.name = "canary"}},
                                 .failures_max = std::int64_t{3},
                                 .deadline = 50s};
  EXPECT_EQ(list(rolled(strategy, {}).clusters), "a b");
  const auto done = states({{"a", State::Succeeded}, {"b", State::Succeeded}});
  EXPECT_EQ(list(rolled(strategy, done).clusters), "c d e");
  const Rollout late =
      rolled(strategy, states({{"a", State::Succeeded}, {"b", State::Progressing}}));
  EXPECT_EQ(list(late.clusters), "");
  EXPECT_EQ(list(late.timed_out), "b");
  EXPECT_TRUE(late.is_stopped);
}

TEST(RollingOut, GoesGroupByGroup) {
  const RolloutStrategy strategy{.type = RolloutType::ProgressivePerGroup};
  EXPECT_EQ(list(rolled(strategy, {}).clusters), "a b");
  EXPECT_EQ(
      list(rolled(strategy, states({{"a", State::Succeeded}, {"b", State::Progressing}})).clusters),
      "b");
  EXPECT_EQ(
      list(rolled(strategy, states({{"a", State::Succeeded}, {"b", State::Succeeded}})).clusters),
      "c d e");
}

TEST(RollingOut, StopsAGroupWithMoreFailuresThanAllowedAndPassesOneWithFewer) {
  RolloutStrategy strategy{.type = RolloutType::ProgressivePerGroup};
  const auto failed = states({{"a", State::Succeeded}, {"b", State::Failed}});
  EXPECT_TRUE(rolled(strategy, failed).is_stopped);
  strategy.failures_max = "50%";
  EXPECT_EQ(list(rolled(strategy, failed).clusters), "b c d e");
}

TEST(RollingOut, WaitsForAGroupThatIsUnderWayAlsoAfterOneThatTookTooLong) {
  const RolloutStrategy strategy{
      .type = RolloutType::ProgressivePerGroup, .failures_max = "100%", .deadline = 50s};
  const std::vector<RolloutGroup> groups = {{.index = 0, .clusters = {"a"}},
                                            {.index = 1, .clusters = {"b"}},
                                            {.index = 2, .clusters = {"c"}}};
  const auto late = states({{"a", State::Progressing}});
  EXPECT_EQ(list(roll_out(strategy, groups, late, kNow)->clusters), "b");
}

TEST(RollingOut, StopsWhenMoreClustersFailedThanAllowed) {
  RolloutStrategy strategy{.type = RolloutType::Progressive,
                           .concurrency = std::int64_t{1},
                           .failures_max = std::int64_t{1},
                           .deadline = 50s};
  const auto one = states({{"a", State::Progressing}});
  EXPECT_EQ(list(rolled(strategy, one).clusters), "b");
  const auto two = states({{"a", State::Progressing}, {"b", State::Failed}, {"c", State::ToApply}});
  const Rollout stopped = rolled(strategy, two);
  EXPECT_EQ(list(stopped.clusters), "");
  EXPECT_EQ(list(stopped.timed_out), "a b");
  EXPECT_TRUE(stopped.is_stopped);
}

TEST(RollingOut, LetsASuccessSoakAndSaysWhenToLookAgain) {
  const RolloutStrategy strategy{
      .type = RolloutType::Progressive, .concurrency = std::int64_t{1}, .success_time_min = 5min};
  const Rollout soaking = rolled(strategy, states({{"a", State::Succeeded}}));
  EXPECT_EQ(list(soaking.clusters), "a");
  EXPECT_EQ(soaking.recheck, kNow + 200s);
}

TEST(RollingOut, LooksAgainWhenADeadlineEnds) {
  const RolloutStrategy strategy{.deadline = 300s};
  EXPECT_EQ(rolled(strategy, states({{"a", State::Progressing}})).recheck, kNow + 200s);
}

TEST(RollingOut, SaysNothingOfClustersThatLeftThePlacement) {
  EXPECT_EQ(list(rolled({}, states({{"z", State::Progressing}})).clusters), "a b c d e");
}

}  // namespace
}  // namespace berth::fleet

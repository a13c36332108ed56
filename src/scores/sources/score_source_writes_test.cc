// Which scores a source writes, and when: only its own, only where its Placement says, never too
// many at once.

#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scores/score_status.h"
#include "scores/sources/testing/scoring_by_prometheus_service.h"

namespace berth::scores {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using testing::kDecisions;
using testing::kSources;
using testing::ScoringByPrometheus;

TEST_F(ScoringByPrometheus, FollowsThePlacement) {
  start_prometheus();
  for (const char* cluster : {"rome", "oslo", "kyiv"}) measure(cluster, 5);
  put_source();
  start();
  select({"kyiv", "rome"});
  world_.run_for(61s);
  EXPECT_THAT(score("kyiv"), HasSubstr("cpu=5"));
  EXPECT_THAT(score("oslo"), HasSubstr("cpu=5")) << "it only lapses";
  world_.run_for(3min);
  EXPECT_EQ(score("oslo"), "none") << "and what has lapsed goes";
  hub_.erase(kDecisions, "monitoring/all-decision-1");
  world_.run_for(1s);
  EXPECT_EQ(condition("Ready"),
            "False PlacementNotDecided there is no PlacementDecision of the Placement "
            "monitoring/all");
  const int requests = prometheus_.requests;
  world_.run_for(5min);
  EXPECT_EQ(prometheus_.requests, requests) << "nobody is asked about";
}

TEST_F(ScoringByPrometheus, ASourceThatGoesTakesItsScoresWithIt) {
  start_prometheus();
  measure("rome", 12);
  measure("oslo", 12);
  put_source();
  start();
  apply(score_resource(), "metadata: {name: theirs, namespace: rome}");
  hub_.erase(kSources, "monitoring/fleet");
  world_.run_for(1s);
  EXPECT_EQ(score("rome"), "none");
  EXPECT_EQ(score("oslo"), "none");
  EXPECT_TRUE(hub_.find(score_resource(), "rome/theirs"));
  const int requests = prometheus_.requests;
  world_.run_for(5min);
  EXPECT_EQ(prometheus_.requests, requests);
}

TEST_F(ScoringByPrometheus, ASourceThatWentWhileNobodyLookedTakesItsScoresWithIt) {
  start_prometheus();
  measure("rome", 12);
  put_source();
  start();
  world_.node("berth").crash(sim::Crash::Process);
  hub_.erase(kSources, "monitoring/fleet");
  world_.node("berth").restart();
  world_.run_for(2s);
  EXPECT_EQ(score("rome"), "none");
}

TEST_F(ScoringByPrometheus, ARestartKeepsWhatIsPublished) {
  start_prometheus();
  measure("rome", 12);
  put_source();
  start();
  const auto writes = writes_.size();
  world_.node("berth").crash(sim::Crash::Process);
  world_.node("prometheus").crash(sim::Crash::Process);
  world_.node("berth").restart();
  world_.run_for(1s);
  EXPECT_THAT(score("rome"), HasSubstr("cpu=12"));
  EXPECT_THAT(condition("Ready"), HasSubstr("False QueryFailed"));
  world_.node("prometheus").restart();
  world_.run_for(20s);
  EXPECT_EQ(condition("Ready"), "True QueriesAnswered every query was answered");
  EXPECT_EQ(count_writes("PATCH addonplacementscores"), 1U);
  EXPECT_LE(writes_.size(), writes + 5) << "two statuses of the source, an event of each";
}

TEST_F(ScoringByPrometheus, NeverTouchesAScoreOfSomebodyElse) {
  start_prometheus();
  measure("rome", 12);
  measure("oslo", 12);
  apply(score_resource(), R"(
metadata: {name: usage, namespace: rome}
status: {scores: [{name: cpu, value: 99}]}
)");
  put_source();
  start();
  EXPECT_EQ(score("rome"), "cpu=99 for ever");
  EXPECT_THAT(score("oslo"), HasSubstr("cpu=12"));
  EXPECT_EQ(condition("Ready"),
            "True Degraded the AddOnPlacementScore usage of rome belongs to somebody else");
  hub_.erase(score_resource(), "rome/usage");
  world_.run_for(2s);
  EXPECT_THAT(score("rome"), HasSubstr("cpu=12"));
  EXPECT_EQ(condition("Ready"), "True QueriesAnswered every query was answered");
}

TEST_F(ScoringByPrometheus, OfTwoSourcesForOneScoreTheFirstWritesAndTheOtherSaysSo) {
  start_prometheus();
  measure("rome", 12);
  measure("oslo", 12);
  put_source("{}", "first");
  start();
  put_source("{}", "a-second");
  world_.run_for(5min);
  EXPECT_THAT(condition("Ready", "monitoring/first"), HasSubstr("True QueriesAnswered"));
  EXPECT_EQ(condition("Ready", "monitoring/a-second"),
            "True Degraded the AddOnPlacementScore usage of oslo, rome belongs to somebody else");
  EXPECT_EQ(source_uid_of(*hub_.find(score_resource(), "rome/usage")),
            api::text_field(*hub_.find(kSources, "monitoring/first")->find("metadata"), "uid"));
  EXPECT_EQ(count_writes("DELETE"), 0U);
  measure("rome", 15);
  world_.run_for(1min);
  hub_.erase(kSources, "monitoring/first");
  world_.run_for(3s);
  EXPECT_THAT(score("rome"), HasSubstr("cpu=15"));
  EXPECT_EQ(source_uid_of(*hub_.find(score_resource(), "rome/usage")),
            api::text_field(*hub_.find(kSources, "monitoring/a-second")->find("metadata"), "uid"));
}

TEST_F(ScoringByPrometheus, WritesNoMoreThanSoManyScoresASecond) {
  std::set<std::string> fleet;
  for (int i = 100; i < 200; ++i) fleet.insert("c" + std::to_string(i));
  select(fleet);
  start_prometheus();
  for (const std::string& cluster : fleet) measure(cluster, 5);
  put_source();
  start({.writes = {.per_second = 20, .burst = 10}});
  EXPECT_LE(count_writes("POST addonplacementscores"), 32U);
  EXPECT_GE(count_writes("POST addonplacementscores"), 25U);
  world_.run_for(4s);
  EXPECT_EQ(count_writes("POST addonplacementscores"), 100U);
  EXPECT_EQ(count_writes("PATCH addonplacementscores"), 100U);
}

TEST_F(ScoringByPrometheus, WaitsForAHubThatHasTooMuchToDo) {
  start_prometheus();
  measure("rome", 12);
  start();
  put_source();
  trouble_ = 429;
  world_.run_for(5s);
  trouble_ = 0;
  world_.run_for(3min);
  EXPECT_THAT(score("rome"), HasSubstr("cpu=12"));
}

}  // namespace
}  // namespace berth::scores

#include "scores/sources/source_state.h"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace berth::scores {
namespace {

using namespace std::chrono_literals;

const Time kStart = Time::from_unix(1'000'000);

class Source : public ::testing::Test {
 protected:
  Source()
      : state_({.facts = {.name = "fleet", .object_namespace = "monitoring", .uid = "u1"},
                .queries = {{.score_name = "cpu", .promql = "cpu"},
                            {.score_name = "mem", .promql = "mem"}},
                .target = "usage",
                .valid_for = 180s}) {
    select({"oslo", "rome"});
  }

  void select(const std::set<std::string>& names) {
    std::vector<api::ManagedCluster> clusters;
    for (const std::string& name : names) clusters.push_back({.facts = {.name = name}});
    state_.set_clusters(names, clusters);
  }

  static PrometheusAnswer answer(const std::string& cluster, double number, double age) {
    const double sampled = 1'000'000 - age;
    return {.series = {{.cluster = cluster, .part = "value", .number = number},
                       {.cluster = cluster, .part = "time0", .number = sampled}}};
  }

  void take(const Result<PrometheusAnswer>& answer, const char* score = "cpu", Time when = kStart) {
    state_.take(*state_.source().find_query(score), answer, when);
  }

  std::string scores(const std::string& cluster) const {
    std::string line;
    for (const KnownScore& score : state_.publication(cluster).scores) {
      line += score.name + "=" + std::to_string(score.value) + "@" +
              std::to_string((score.valid_until - kStart) / Duration(1s)) + " ";
    }
    return line;
  }

  SourceState state_;
};

TEST_F(Source, PublishesWhatHoldsFromTheTimeOfTheSampleOn) {
  take(answer("rome", 30, 20));
  take(answer("rome", 40, 60), "mem");
  EXPECT_EQ(scores("rome"), "cpu=30@160 mem=40@120 ");
  EXPECT_EQ(scores("oslo"), "");
  const Publication rome = state_.publication("rome");
  EXPECT_EQ(rome.name, "usage");
  EXPECT_EQ(rome.source_uid, "u1");
  EXPECT_EQ(rome.source, "monitoring/fleet");
  EXPECT_EQ(rome.score_names, (std::set<std::string>{"cpu", "mem"}));
  EXPECT_EQ(state_.scored(kStart), 1U);
  EXPECT_EQ(state_.scored(kStart + 159s), 1U);
  EXPECT_EQ(state_.scored(kStart + 160s), 0U);
}

TEST_F(Source, KeepsTheScoreOfAClusterThatIsMissingInAnAnswer) {
  take(answer("rome", 30, 20));
  take(answer("oslo", 1, 0));
  EXPECT_EQ(scores("rome"), "cpu=30@160 ");
  take(answer("rome", NAN, 0));
  EXPECT_EQ(scores("rome"), "cpu=30@160 ");
  EXPECT_EQ(state_.outcome("cpu").samples.rejected, 1U);
}

TEST_F(Source, TakesNoSampleThatIsTooOldAndNoneOlderThanTheOneItHas) {
  take(answer("rome", 30, 180));
  EXPECT_EQ(scores("rome"), "");
  EXPECT_EQ(state_.outcome("cpu").stale, 1U);
  take(answer("rome", 40, 10));
  take(answer("rome", 50, 30));
  EXPECT_EQ(scores("rome"), "cpu=40@170 ");
  take(answer("rome", 60, 10));
  EXPECT_EQ(scores("rome"), "cpu=60@170 ");
}

TEST_F(Source, RemembersWhatItsQueriesWereAnswered) {
  EXPECT_FALSE(state_.outcome("cpu").last_success);
  PrometheusAnswer partial = answer("rome", 30, 20);
  partial.series.push_back({.cluster = "kyiv", .part = "value", .number = 1});
  partial.warnings = {"store 1 is away", "store 2 too"};
  take(partial);
  EXPECT_EQ(state_.outcome("cpu").last_success, kStart);
  EXPECT_EQ(state_.outcome("cpu").warning, "store 1 is away; store 2 too");
  EXPECT_EQ(state_.outcome("cpu").samples.series, 2U);
  EXPECT_EQ(state_.outcome("cpu").samples.unknown, 1U);
  EXPECT_EQ(state_.outcome("cpu").scored, 1U);
  take(failure(Code::Timeout, "too slow"), "cpu", kStart + 60s);
  EXPECT_EQ(state_.outcome("cpu").last_success, kStart);
  EXPECT_EQ(state_.outcome("cpu").last_error, "too slow");
  EXPECT_EQ(scores("rome"), "cpu=30@160 ");
  take(answer("rome", 30, 0));
  EXPECT_EQ(state_.outcome("cpu").last_error, "");
}

TEST_F(Source, ForgetsClustersThatLeave) {
  take(answer("rome", 30, 20));
  select({"oslo"});
  EXPECT_EQ(scores("rome"), "");
  EXPECT_EQ(state_.clusters(), std::set<std::string>{"oslo"});
  EXPECT_EQ(state_.outcome("cpu").samples.unknown, 1U);
}

TEST_F(Source, FindsClustersThatComeInTheLastAnswer) {
  select({"oslo"});
  take(answer("rome", 30, 20));
  take(failure(Code::Timeout, "too slow"));
  select({"oslo", "rome"});
  EXPECT_EQ(scores("rome"), "cpu=30@160 ");
  EXPECT_EQ(state_.outcome("cpu").samples.unknown, 0U);
  EXPECT_EQ(state_.outcome("cpu").scored, 1U);
  EXPECT_EQ(state_.outcome("cpu").last_error, "too slow");
}

TEST_F(Source, ComparesOnlyClustersWithFreshSamples) {
  ScoreSource ranked = state_.source();
  ranked.queries[0].normaliser = FleetNormaliser{.type = FleetNormaliser::Type::FleetRank};
  state_ = SourceState(ranked);
  select({"kyiv", "oslo", "rome"});
  PrometheusAnswer fleet;
  for (const auto& [cluster, number, age] :
       {std::tuple("oslo", 1.0, 0.0), std::tuple("rome", 2.0, 0.0),
        std::tuple("kyiv", 3.0, 500.0)}) {
    for (const Series& series : answer(cluster, number, age).series) fleet.series.push_back(series);
  }
  take(fleet);
  EXPECT_EQ(scores("oslo"), "cpu=-100@180 ");
  EXPECT_EQ(scores("rome"), "cpu=100@180 ");
  EXPECT_EQ(scores("kyiv"), "");
}

}  // namespace
}  // namespace berth::scores

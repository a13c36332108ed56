#include "scores/sources/score_source_controller.h"

#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/conditions.h"
#include "base/base64.h"
#include "json/yaml_read.h"
#include "scores/score_status.h"
#include "scores/sources/testing/scoring_by_prometheus_service.h"

namespace berth::scores {
namespace {

using namespace std::chrono_literals;
using json::Value;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::kConfigMaps;
using testing::kDecisions;
using testing::kSecrets;
using testing::kSources;
using ::testing::Not;
using testing::ScoringByPrometheus;

TEST_F(ScoringByPrometheus, OneQueryGivesEveryClusterItsScore) {
  start_prometheus();
  measure("rome", 12);
  measure("oslo", -40);
  measure("elsewhere", 5);
  put_source();
  start();
  EXPECT_EQ(score("rome"), "cpu=12 for 179s");
  EXPECT_EQ(score("oslo"), "cpu=-40 for 179s");
  EXPECT_EQ(score("elsewhere"), "none");
  EXPECT_EQ(prometheus_.requests, 1);
  EXPECT_EQ(prometheus_.last_path, "/base/api/v1/query");
  EXPECT_EQ(condition("Ready"), "True QueriesAnswered every query was answered");
  EXPECT_EQ(condition("Accepted"), "True Accepted the spec makes sense");
  const Value* status = hub_.find(kSources, "monitoring/fleet")->find("status");
  EXPECT_EQ(status->find("clusters")->as_int(), 2);
  EXPECT_EQ(status->find("scored")->as_int(), 2);
  EXPECT_EQ(status->find("queries")->elements()[0].find("unknown")->as_int(), 1);
  EXPECT_TRUE(api::is_condition_true(*hub_.find(score_resource(), "rome/usage"), kScoreCondition));
}

TEST_F(ScoringByPrometheus, AsksAgainAfterItsIntervalAndWritesOnlyWhatIsWorthIt) {
  start_prometheus();
  measure("rome", 12);
  put_source();
  start();
  const std::size_t first = count_writes("PATCH addonplacementscores");
  for (int i = 0; i < 60; ++i) {
    measure("rome", 12);
    world_.run_for(10s);
  }
  EXPECT_GE(prometheus_.requests, 10);
  EXPECT_LE(prometheus_.requests, 13);
  // Every 90 s of 600 s, at the next answer.
  const std::size_t refreshes = count_writes("PATCH addonplacementscores") - first;
  EXPECT_GE(refreshes, 4U);
  EXPECT_LE(refreshes, 6U);
  EXPECT_EQ(score("oslo"), "none");
}

TEST_F(ScoringByPrometheus, AScoreLapsesWhenItsSampleGetsNoYounger) {
  start_prometheus();
  measure("rome", 12);
  measure("oslo", 7);
  put_source();
  start();
  for (int i = 0; i < 30; ++i) {
    measure("oslo", 7);  // Rome's target is dead, but Prometheus goes on to answer.
    world_.run_for(10s);
  }
  const auto rome = api::read_add_on_placement_score(*hub_.find(score_resource(), "rome/usage"));
  EXPECT_EQ(*rome.valid_until, prometheus_.numbers["rome"].sampled + 180s);
  EXPECT_LT(*rome.valid_until, now());
  EXPECT_EQ(count_writes("PATCH addonplacementscores/rome"), 1U);
  const Value* query =
      &hub_.find(kSources, "monitoring/fleet")->find_path({"status", "queries"})->elements()[0];
  EXPECT_EQ(query->find("stale")->as_int(), 1);
}

TEST_F(ScoringByPrometheus, GapsAndNoNumbersKeepTheOldScoreUntilItsEnd) {
  start_prometheus();
  measure("rome", 12);
  measure("oslo", 7);
  put_source();
  start();
  prometheus_.numbers.erase("rome");
  measure("oslo", NAN);
  world_.run_for(100s);
  EXPECT_EQ(score("rome"), "cpu=12 for 79s");
  EXPECT_EQ(score("oslo"), "cpu=7 for 79s");
  EXPECT_EQ(count_writes("DELETE"), 0U);
}

TEST_F(ScoringByPrometheus, TellsErrorsAndRecovers) {
  start_prometheus();
  prometheus_.error = "found duplicate series for the match group";
  measure("rome", 12);
  put_source();
  start();
  EXPECT_EQ(condition("Ready"),
            "False QueryFailed cpu: execution: found duplicate series for the match group");
  EXPECT_EQ(score("rome"), "none");
  prometheus_.error.clear();
  world_.run_for(15s);
  EXPECT_EQ(condition("Ready"), "True QueriesAnswered every query was answered");
  EXPECT_EQ(score("rome").substr(0, 6), "cpu=12");
}

TEST_F(ScoringByPrometheus, FailuresAndRecoveriesAreEventsOnceEach) {
  start_prometheus();
  measure("rome", 12);
  put_source();
  start();
  const std::string source = "ScoreSource monitoring/fleet ";
  EXPECT_THAT(events(), ElementsAre(source + "Normal QueriesAnswered"));
  prometheus_.error = "out of order";
  world_.run_for(5min);
  prometheus_.error = "out of order, still";
  world_.run_for(5min);
  EXPECT_GE(prometheus_.requests, 10);
  EXPECT_THAT(events(),
              ElementsAre(source + "Normal QueriesAnswered", source + "Warning QueryFailed"));
  world_.node("berth").crash(sim::Crash::Process);
  world_.node("berth").restart();
  world_.run_for(5min);
  EXPECT_EQ(events().size(), 2U) << "a restart finds what it has told";
  prometheus_.error.clear();
  world_.run_for(2min);
  EXPECT_THAT(events(),
              ElementsAre(source + "Normal QueriesAnswered", source + "Warning QueryFailed",
                          source + "Normal QueriesAnswered"));
}

TEST_F(ScoringByPrometheus, SurvivesAnAbsentPrometheusAndFindsItLater) {
  put_source();
  start();
  EXPECT_THAT(condition("Ready"), HasSubstr("False QueryFailed cpu: "));
  start_prometheus();
  measure("rome", 12);
  world_.run_for(2min);
  EXPECT_THAT(score("rome"), HasSubstr("cpu=12"));
}

TEST_F(ScoringByPrometheus, ChangesApplyAtOnce) {
  start_prometheus();
  measure("rome", 50);
  put_source();
  start();
  put_source("spec: {hysteresis: 2, validFor: 10m}");
  world_.run_for(500ms);
  EXPECT_EQ(prometheus_.requests, 2);
  put_source("spec: {targetScoreName: renamed}");
  world_.run_for(500ms);
  EXPECT_THAT(score("rome", "renamed"), HasSubstr("cpu=50"));
  EXPECT_EQ(score("rome"), "none") << "the old name goes";
}

TEST_F(ScoringByPrometheus, ShowsItsTokenOnlyToItsEndpoint) {
  const auto tls = client::testing::model_tls("https");
  start_prometheus("s3cret-token", tls);
  measure("rome", 12);
  put_source(R"(
spec:
  endpoint:
    url: https://prometheus:9090
    bearerToken: {secretRef: {name: access}}
    tls: {caRef: {name: trust}}
)");
  start();
  EXPECT_THAT(condition("Ready"),
              HasSubstr("False CredentialsMissing Secret access: there is none"));
  EXPECT_EQ(prometheus_.requests, 0);
  const auto put_token = [this](std::string_view label, std::string_view token) {
    apply(kSecrets, fmt::format(R"(
metadata: {{name: access, namespace: monitoring, labels: {{scores.berth.dev/score-source: "{}"}}}}
data: {{token: {}}}
)",
                                label, encode_base64(token)));
  };
  put_token("false", "s3cret-token");
  Value trust = json::read_one_yaml(R"(
metadata: {name: trust, namespace: monitoring, labels: {scores.berth.dev/score-source: "true"}}
)")
                    .value();
  trust["data"]["ca.crt"] = tls->identity.certificates_pem;
  hub_.put(kConfigMaps, trust);
  world_.run_for(1s);
  EXPECT_THAT(condition("Ready"), HasSubstr("False CredentialsMissing")) << "it is not labelled";
  put_token("true", "an-0ld-token");
  world_.run_for(1s);
  EXPECT_EQ(
      condition("Ready"),
      "False QueryFailed cpu: the server answered 401: check the credentials of the endpoint");
  put_token("true", "s3cret-token");
  world_.run_for(1s);
  EXPECT_EQ(condition("Ready"), "True QueriesAnswered every query was answered");
  EXPECT_THAT(score("rome"), HasSubstr("cpu=12"));
  for (const std::string& line : world_.log().lines()) {
    EXPECT_THAT(line, Not(HasSubstr("token")));
  }
}

TEST_F(ScoringByPrometheus, RefusedSourcesSayWhyAndAskNothing) {
  start_prometheus();
  put_source("spec: {clusterLabel: a-b}");
  start();
  EXPECT_EQ(condition("Accepted"),
            "False Invalid spec.clusterLabel: \"a-b\" is no name of a label");
  EXPECT_EQ(prometheus_.requests, 0);
  put_source();
  measure("rome", 12);
  world_.run_for(1s);
  EXPECT_EQ(condition("Accepted"), "True Accepted the spec makes sense");
  EXPECT_THAT(score("rome"), HasSubstr("cpu=12"));
}

}  // namespace
}  // namespace berth::scores

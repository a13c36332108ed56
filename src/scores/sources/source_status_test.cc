#include "scores/sources/source_status.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "json/parse.h"
#include "json/print.h"

namespace berth::scores {
namespace {

using namespace std::chrono_literals;
using json::Value;
using ::testing::HasSubstr;

const Time kNow = Time::from_unix(1'800'000'000);

class SourceStatus : public ::testing::Test {
 protected:
  SourceStatus()
      : state_({.facts = {.name = "fleet", .generation = 3},
                .queries = {{.score_name = "cpu", .promql = "cpu"}},
                .target = "usage",
                .valid_for = 180s}) {
    const std::vector<api::ManagedCluster> clusters = {{.facts = {.name = "oslo"}},
                                                       {.facts = {.name = "rome"}}};
    state_.set_clusters({"oslo", "rome"}, clusters);
  }

  void take(const Result<PrometheusAnswer>& answer) {
    state_.take(state_.source().queries[0], answer, kNow);
  }

  static PrometheusAnswer good() {
    return {.series = {{.cluster = "rome", .part = "value", .number = 5},
                       {.cluster = "rome", .part = "time0", .number = 1'799'999'990}}};
  }

  SourceReport report() const { return {.generation = 3, .state = &state_}; }

  // "status reason message" of the condition.
  static std::string told(const Value& status, std::string_view type) {
    const Value* condition = api::find_condition(*status.find("conditions"), type);
    if (!condition) return "none";
    EXPECT_EQ(api::integer_field(*condition, "observedGeneration"), 3);
    return api::text_field(*condition, "status") + " " + api::text_field(*condition, "reason") +
           " " + api::text_field(*condition, "message");
  }

  SourceState state_;
};

TEST_F(SourceStatus, CountsClustersAndSeries) {
  take(good());
  const Value status = source_status({}, report(), kNow);
  EXPECT_EQ(told(status, "Accepted"), "True Accepted the spec makes sense");
  EXPECT_EQ(told(status, "Ready"), "True QueriesAnswered every query was answered");
  Value rest = status;
  rest.erase("conditions");
  EXPECT_EQ(json::print(rest),
            R"({"observedGeneration":3,"scoreName":"usage","clusters":2,"scored":1,)"
            R"("queries":[{"scoreName":"cpu","lastSuccess":"2027-01-15T08:00:00Z","series":1,)"
            R"("scored":1,"unknown":0,"rejected":0,"stale":0,"undated":0}]})");
}

TEST_F(SourceStatus, IsUnknownBeforeTheFirstAnswer) {
  const Value status = source_status({}, report(), kNow);
  EXPECT_EQ(told(status, "Ready"), "Unknown Starting waiting for the first answers");
}

TEST_F(SourceStatus, StartsUntilAnythingIsKnown) {
  EXPECT_TRUE(is_starting(report()));
  SourceReport blocked = report();
  blocked.obstacle = Obstacle{"CredentialsMissing", "no Secret"};
  EXPECT_FALSE(is_starting(blocked));
  EXPECT_FALSE(is_starting({.refusal = Error{.message = "no"}}));
  take(failure(Code::Timeout, "too slow"));
  EXPECT_FALSE(is_starting(report()));
}

TEST_F(SourceStatus, SaysWhyASpecIsRefused) {
  const Value status = source_status(
      {}, {.generation = 3, .refusal = Error{.message = "spec.queries: is missing"}}, kNow);
  EXPECT_EQ(told(status, "Accepted"), "False Invalid spec.queries: is missing");
  EXPECT_EQ(told(status, "Ready"), "False Invalid spec.queries: is missing");
  EXPECT_FALSE(status.find("queries"));
}

TEST_F(SourceStatus, NamesObstaclesFirst) {
  take(failure(Code::Timeout, "too slow"));
  SourceReport blocked = report();
  blocked.obstacle = Obstacle{"CredentialsMissing", "no Secret"};
  EXPECT_EQ(told(source_status({}, blocked, kNow), "Ready"), "False CredentialsMissing no Secret");
}

TEST_F(SourceStatus, NamesTheQueriesThatFail) {
  take(good());
  take(failure(Code::Timeout, "too slow"));
  const Value status = source_status({}, report(), kNow);
  EXPECT_EQ(told(status, "Ready"), "False QueryFailed cpu: too slow");
  const Value& query = status.find("queries")->elements()[0];
  EXPECT_EQ(api::text_field(query, "lastError"), "too slow");
  EXPECT_EQ(api::text_field(query, "lastSuccess"), "2027-01-15T08:00:00Z");
}

TEST_F(SourceStatus, IsReadyButDegradedWhenAnswersAreNotWhole) {
  PrometheusAnswer answer = good();
  answer.warnings = {"a store is away"};
  answer.series.push_back({.cluster = "rome", .part = "value", .number = 6});
  answer.series.push_back({.cluster = "oslo", .part = "value", .number = 6});
  take(answer);
  SourceReport shared = report();
  shared.taken = {"oslo"};
  const Value status = source_status({}, shared, kNow);
  EXPECT_EQ(told(status, "Ready"),
            "True Degraded the AddOnPlacementScore usage of oslo belongs to somebody else. "
            "cpu: a store is away. cpu: more than one number for rome; aggregate by cluster. "
            "cpu: 1 numbers without a sample time; say it with sampleTime");
  EXPECT_EQ(json::print(*status.find("queries")->elements()[0].find("duplicates")), R"(["rome"])");
}

TEST_F(SourceStatus, NamesAtMostTenClusters) {
  take(good());
  SourceReport shared = report();
  for (int i = 10; i < 30; ++i) shared.taken.insert("c" + std::to_string(i));
  const std::string text = told(source_status({}, shared, kNow), "Ready");
  EXPECT_THAT(text, HasSubstr("c19 and 10 more belongs"));
}

TEST_F(SourceStatus, KeepsConditionsOfOthersAndTimesOfTransition) {
  take(good());
  const Value first = source_status(
      json::parse(R"({"conditions":[{"type":"Theirs","status":"True"}]})").value(), report(), kNow);
  EXPECT_TRUE(api::find_condition(*first.find("conditions"), "Theirs"));
  EXPECT_EQ(source_status(first, report(), kNow + 100s), first);
}

TEST_F(SourceStatus, DiffersInSubstanceOnlyWhenPeopleCare) {
  take(good());
  const Value before = source_status({}, report(), kNow);
  state_.take(state_.source().queries[0], PrometheusAnswer{}, kNow + 60s);
  const Value later = source_status(before, report(), kNow + 60s);
  EXPECT_NE(later, before);
  EXPECT_FALSE(differs_in_substance(before, later));
  take(failure(Code::Timeout, "too slow"));
  EXPECT_TRUE(differs_in_substance(before, source_status(before, report(), kNow)));
}

Value ready(const std::string& status, const std::string& reason, const std::string& message) {
  Value value = Value::object();
  value["conditions"].push_back(Value::object(
      {{"type", "Ready"}, {"status", status}, {"reason", reason}, {"message", message}}));
  return value;
}

TEST(SourceNews, IsThatASourceFailsOrRecovers) {
  using enum SourceNews::Kind;
  struct Case {
    std::string_view what;
    Value before;
    Value after;
    std::optional<SourceNews::Kind> kind;
  };
  const Case cases[] = {
      {"first answers", {}, ready("True", "QueriesAnswered", "m"), Recovery},
      {"a first failure", {}, ready("False", "QueryFailed", "m"), Trouble},
      {"no answers yet", {}, ready("Unknown", "Starting", "m"), std::nullopt},
      {"the same failure", ready("False", "QueryFailed", "a"), ready("False", "QueryFailed", "b"),
       std::nullopt},
      {"another failure", ready("False", "QueryFailed", "a"), ready("False", "Invalid", "b"),
       Trouble},
      {"answers again", ready("False", "QueryFailed", "a"), ready("True", "QueriesAnswered", "b"),
       Recovery},
      {"answers with a flaw", ready("False", "QueryFailed", "a"), ready("True", "Degraded", "b"),
       Trouble},
      {"without the flaw", ready("True", "Degraded", "a"), ready("True", "QueriesAnswered", "b"),
       Recovery},
      {"still answers", ready("True", "QueriesAnswered", "a"),
       ready("True", "QueriesAnswered", "a"), std::nullopt},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const auto news = news_of(c.before, c.after);
    ASSERT_EQ(news.has_value(), c.kind.has_value());
    if (news) {
      EXPECT_EQ(news->kind, *c.kind);
      EXPECT_FALSE(news->reason.empty() || news->message.empty());
    }
  }
}

}  // namespace
}  // namespace berth::scores

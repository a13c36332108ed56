#include "scores/generators/generator_work.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::scores {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr Instant kStart{1000s};
const Time kHubStart = Time::from_unix(1'800'000'000);

Now at(Duration since) { return {.instant = kStart + since, .time = kHubStart + since}; }

Latency latency(std::string name) {
  return {.name = std::move(name), .location = {.host = "example.com", .port = 443}};
}

Timings took(Duration length) { return {.connect = length}; }

const Error kRefused{.code = Code::ServiceUnavailable, .message = "connection refused"};

class GeneratorWorkTest : public ::testing::Test {
 protected:
  // Runs all that is due at that time, with that outcome.
  void run(Duration since, const Result<Timings>& outcome) {
    for (const TaskId id : work_.due(at(since).instant)) {
      work_.begin(id, at(since).instant);
      work_.on_run(id, outcome, at(since), 0.5);
    }
  }

  std::vector<Score> scores(Duration since) const {
    return report(since).scores.value_or(std::vector<Score>());
  }
  Report report(Duration since) const { return work_.report(at(since).instant, at(since).time); }
  EntryState entry(std::size_t index = 0) const { return work_.entries().at(index).state; }

  GeneratorWork work_{{}};
};

TEST_F(GeneratorWorkTest, MeasuresAtOnceAndPublishesForThreeIntervals) {
  work_.assign({.latencies = {latency("a")}}, kStart);
  EXPECT_TRUE(report(0s).is_silent());
  EXPECT_EQ(work_.next_due(), kStart);
  run(0s, took(30ms));
  EXPECT_THAT(scores(0s), ElementsAre(Score{.name = "a", .value = 30}));
  EXPECT_EQ(report(0s).valid_until, kHubStart + 180s);
  EXPECT_EQ(report(20s).valid_until, kHubStart + 180s);  // It gets no younger by being asked.
  EXPECT_EQ(work_.next_due(), kStart + 60s);
}

TEST_F(GeneratorWorkTest, PublishesTheMeanOfARound) {
  Latency two = latency("a");
  two.runs = 2;
  two.wait_between_runs = 10s;
  work_.assign({.latencies = {two}}, kStart);
  run(0s, took(30ms));
  EXPECT_TRUE(report(0s).is_silent());  // A round that is not over is no trouble.
  run(10s, took(50ms));
  EXPECT_THAT(scores(10s), ElementsAre(Score{.name = "a", .value = 40}));
}

TEST_F(GeneratorWorkTest, ADeadLocationCountsAsTheWorst) {
  work_.assign({.latencies = {latency("a")}}, kStart);
  run(0s, took(30ms));
  run(60s, failure(kRefused));
  EXPECT_THAT(scores(60s), ElementsAre(Score{.name = "a", .value = 100}));
  EXPECT_EQ(entry().failures, 1);
  EXPECT_EQ(entry().error, "connection refused");
  EXPECT_EQ(entry().last_success, kHubStart);
  run(120s, took(20ms));
  EXPECT_THAT(scores(120s), ElementsAre(Score{.name = "a", .value = 20}));
  EXPECT_EQ(entry().failures, 0);
  EXPECT_EQ(entry().error, "");
}

TEST_F(GeneratorWorkTest, ASkippedLocationLapsesAloneAndBeforeItDragsOthersAlong) {
  Latency skipped = latency("dead");
  skipped.on_error = OnError::Skip;
  work_.assign({.latencies = {skipped, latency("live")}}, kStart);
  run(0s, took(30ms));
  for (const Duration since : {60s, 120s}) {
    for (const TaskId id : work_.due(at(since).instant)) {
      const bool dead = std::get<Latency>(work_.task(id)).name == "dead";
      work_.begin(id, at(since).instant);
      work_.on_run(id, dead ? Result<Timings>(failure(kRefused)) : took(30ms), at(since), 0.5);
    }
  }
  EXPECT_THAT(scores(170s), SizeIs(2));
  EXPECT_EQ(report(170s).valid_until, kHubStart + 180s);
  EXPECT_EQ(work_.next_lapse(kStart + 170s), kStart + 175s);
  EXPECT_THAT(scores(175s), ElementsAre(Score{.name = "live", .value = 30}));
  EXPECT_EQ(report(175s).valid_until, kHubStart + 300s);
  EXPECT_THAT(report(175s).trouble.value().message, HasSubstr("dead: connection refused"));
}

TEST_F(GeneratorWorkTest, PublishesNothingWhenNothingHolds) {
  Latency skipped = latency("dead");
  skipped.on_error = OnError::Skip;
  work_.assign({.latencies = {skipped}}, kStart);
  run(0s, failure(kRefused));
  EXPECT_FALSE(report(0s).scores.has_value());
  EXPECT_TRUE(report(0s).trouble.has_value());
}

TEST_F(GeneratorWorkTest, AChangeConcernsOnlyWhatChanged) {
  work_.assign({.latencies = {latency("a"), latency("b")}}, kStart);
  run(0s, took(30ms));
  Latency other = latency("b");
  other.location.host = "example.org";
  work_.assign({.latencies = {latency("a"), other, latency("c")}}, kStart + 5s);
  EXPECT_THAT(scores(5s), ElementsAre(Score{.name = "a", .value = 30}));
  EXPECT_THAT(work_.due(kStart + 5s), SizeIs(2));
  run(5s, took(70ms));
  EXPECT_THAT(scores(5s),
              ElementsAre(Score{.name = "a", .value = 30}, Score{.name = "b", .value = 70},
                          Score{.name = "c", .value = 70}));
  work_.assign({.latencies = {latency("a")}}, kStart + 6s);
  EXPECT_THAT(scores(6s), ElementsAre(Score{.name = "a", .value = 30}));
}

TEST_F(GeneratorWorkTest, IgnoresTheOutcomeOfWhatWasReplaced) {
  work_.assign({.latencies = {latency("a")}}, kStart);
  const TaskId id = work_.due(kStart).front();
  work_.begin(id, kStart);
  work_.assign({.latencies = {latency("b")}}, kStart);
  work_.on_run(id, took(1ms), at(1s), 0.5);
  work_.on_plugin(id, PluginScores(), at(1s), 0.5);
  EXPECT_TRUE(report(1s).is_silent());
}

TEST_F(GeneratorWorkTest, TakesThePluginsWordForEachOfItsEntries) {
  work_.assign({.sections = {{.plugin = "p", .names = {"a", "b"}}}}, kStart);
  const TaskId id = work_.due(kStart).front();
  work_.begin(id, kStart);
  work_.on_plugin(id, PluginScores{{"a", -3.6}, {"b", failure(Code::Invalid, "it answered twice")}},
                  at(0s), 0.5);
  EXPECT_THAT(scores(0s), ElementsAre(Score{.name = "a", .value = -4}));
  EXPECT_EQ(entry(1).error, "it answered twice");
  work_.begin(id, kStart + 60s);
  work_.on_plugin(id, failure(Code::NotFound, "PluginNotFound: gone"), at(60s), 0.5);
  EXPECT_THAT(scores(60s), SizeIs(1));   // What it said before holds for its time,
  EXPECT_THAT(scores(180s), SizeIs(0));  // and no longer.
  EXPECT_EQ(entry(1).failures, 2);
}

TEST_F(GeneratorWorkTest, TakesOverWhatAnEarlierLifeMeasured) {
  work_.assign({.latencies = {latency("a"), latency("old"), latency("odd")}}, kStart);
  work_.restore(json::parse(R"({"entries":[
      {"name":"a","score":30,"lastValue":29.6,"lastSuccess":"2027-01-15T07:59:00Z"},
      {"name":"old","score":30,"lastSuccess":"2027-01-15T07:00:00Z"},
      {"name":"odd","score":3000,"lastSuccess":"2027-01-15T07:59:00Z"},
      {"name":"gone","score":1,"lastSuccess":"2027-01-15T07:59:00Z"}]})")
                    .value(),
                at(0s));
  EXPECT_THAT(scores(0s), ElementsAre(Score{.name = "a", .value = 30}));
  EXPECT_EQ(report(0s).valid_until, kHubStart + 120s);
}

}  // namespace
}  // namespace berth::scores

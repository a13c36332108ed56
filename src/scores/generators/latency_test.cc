#include "scores/generators/latency.h"

#include <vector>

#include <gtest/gtest.h>

namespace berth::scores {
namespace {

using namespace std::chrono_literals;

using Runs = std::vector<std::optional<double>>;
constexpr std::nullopt_t kFailed = std::nullopt;

TEST(Latency, CountsThePartThatIsAskedFor) {
  const Timings timings{.resolve = 7ms, .connect = 10ms, .tls = 20ms, .first_byte = 3500us};
  Latency latency;
  EXPECT_EQ(measured_millis(timings, latency), 33.5);
  latency.measure = Measure::Connect;
  EXPECT_EQ(measured_millis(timings, latency), 10);
  latency.measure = Measure::Tls;
  EXPECT_EQ(measured_millis(timings, latency), 20);
  latency.measure = Measure::FirstByte;
  EXPECT_EQ(measured_millis(timings, latency), 3.5);
  EXPECT_EQ(measured_millis({.resolve = 7ms}, {.location = {.method = Method::Dns}}), 7);
}

TEST(Latency, IsAggregatedOverTheRunsOfARound) {
  struct Case {
    Aggregate aggregate;
    Runs runs;
    double millis;
  };
  const Case cases[] = {
      {Aggregate::Mean, {30}, 30},
      {Aggregate::Mean, {20, 41}, 30.5},
      {Aggregate::Median, {50, 10, 20}, 20},
      {Aggregate::Median, {50, 10, 20, 30}, 25},
      {Aggregate::P90, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 9},
      {Aggregate::P90, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 10},
      {Aggregate::P90, {5}, 5},
      {Aggregate::P90, {5, 1}, 5},
      {Aggregate::Min, {50, 10, 20}, 10},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(round_millis(c.runs, {.aggregate = c.aggregate}), c.millis);
  }
}

TEST(Latency, CountsAFailedRunAsTheWorst) {
  EXPECT_EQ(round_millis(Runs{30, kFailed}, {}), 65);
  EXPECT_EQ(round_millis(Runs{kFailed}, {}), 100);
  EXPECT_EQ(round_millis(Runs{kFailed}, {.normaliser = Normaliser{.max = 400}}), 400);
}

TEST(Latency, LeavesFailedRunsOutWhenSoAsked) {
  EXPECT_EQ(round_millis(Runs{30, kFailed}, {.on_error = OnError::Skip}), 30);
  EXPECT_EQ(round_millis(Runs{kFailed, kFailed}, {.on_error = OnError::Skip}), std::nullopt);
}

TEST(Latency, IsMillisecondsFromZeroToAHundredUnlessNormalised) {
  EXPECT_EQ(latency_score(29.6, {}), 30);
  EXPECT_EQ(latency_score(0.2, {}), 0);
  EXPECT_EQ(latency_score(2500, {}), 100);
  const Latency inverted{.normaliser =
                             Normaliser{.max = 200, .direction = Direction::LowerIsBetter}};
  EXPECT_EQ(latency_score(0, inverted), 100);
  EXPECT_EQ(latency_score(100, inverted), 0);
  EXPECT_EQ(latency_score(worst_millis(inverted), inverted), -100);
}

}  // namespace
}  // namespace berth::scores

#include "scores/hub_clock.h"

#include <gtest/gtest.h>

#include "base/rfc3339.h"

namespace berth::scores {
namespace {

using namespace std::chrono_literals;

const Time kNoted = parse_rfc3339("2026-11-16T08:00:00Z").value();

Instant at(Duration since) { return Instant(since); }

json::Value noted(Time time, std::string_view manager = "berth-scores") {
  json::Value object;
  json::Value entry = json::Value::object(
      {{"manager", manager}, {"operation", "Update"}, {"time", format_seconds(time)}});
  object["metadata"]["managedFields"].push_back(std::move(entry));
  return object;
}

TEST(HubClock, KnowsNothingBeforeTheFirstAnswer) {
  HubClock clock;
  EXPECT_EQ(clock.time_at(at(5s)), std::nullopt);
}

TEST(HubClock, CountsFromWhatTheHubNoted) {
  HubClock clock;
  clock.observe(noted(kNoted), "berth-scores", {.sent = at(10s), .answered = at(12s)});
  EXPECT_EQ(clock.time_at(at(11s)), kNoted + 500ms);
  EXPECT_EQ(clock.time_at(at(71s)), kNoted + 60s + 500ms);
}

TEST(HubClock, TakesTheNewestWriteAndTheNewestAnswer) {
  HubClock clock;
  json::Value answer = noted(kNoted);
  answer["metadata"]["managedFields"].push_back(
      noted(kNoted + 1h)["metadata"]["managedFields"].elements()[0]);
  clock.observe(answer, "berth-scores", {.sent = at(0s), .answered = at(0s)});
  EXPECT_EQ(clock.time_at(at(0s)), kNoted + 1h + 500ms);
  clock.observe(noted(kNoted), "berth-scores", {.sent = at(1s), .answered = at(1s)});
  EXPECT_EQ(clock.time_at(at(1s)), kNoted + 500ms) << "the hub's calendar was set back";
}

TEST(HubClock, LearnsNothingFromAnswersThatSayNothing) {
  HubClock clock;
  clock.observe({}, "berth-scores", {.sent = at(0s), .answered = at(0s)});
  clock.observe(noted(kNoted, "kubectl"), "berth-scores", {.sent = at(0s), .answered = at(0s)});
  EXPECT_EQ(clock.time_at(at(0s)), std::nullopt);
}

}  // namespace
}  // namespace berth::scores

#include "scores/generators/generator_status.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "json/parse.h"
#include "json/print.h"

namespace berth::scores {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

const Time kNow = Time::from_unix(1'800'000'000);

std::string condition(const json::Value& status, std::string_view type, std::string_view field) {
  const json::Value* found = api::find_condition(api::field(status, "conditions"), type);
  return found ? api::text_field(*found, field) : "";
}

std::vector<GeneratorWork::Entry> one(const EntryState& state) { return {{"a", state}}; }

TEST(GeneratorStatus, TellsHowEachEntryIsDoing) {
  const EntryState fine{.value = 30.12345,
                        .timings = Timings{.connect = 10ms, .tls = 20ms, .first_byte = 123450ns},
                        .score = 30,
                        .last_success = kNow};
  const EntryState failing{.failures = 2, .error = "connection refused"};
  const json::Value status = working_status({}, {{"a", fine}, {"b", failing}}, 7, kNow);
  EXPECT_EQ(json::print(api::field(status, "entries")),
            R"([{"name":"a","lastValue":30.123,"score":30,"lastSuccess":"2027-01-15T08:00:00Z",)"
            R"("failures":0,"timings":{"resolveMillis":0,"connectMillis":10,"tlsMillis":20,)"
            R"("firstByteMillis":0.123}},{"name":"b","failures":2,"error":"connection refused"}])");
  EXPECT_EQ(api::integer_field(status, "observedGeneration"), 7);
  EXPECT_EQ(condition(status, "Accepted", "status"), "True");
  EXPECT_EQ(condition(status, "Healthy", "status"), "False");
  EXPECT_EQ(condition(status, "Healthy", "message"), "1 of 2 entries fail: b: connection refused");
}

TEST(GeneratorStatus, IsHealthyWhenAllIsMeasured) {
  const json::Value status = working_status({}, one({.score = 30}), 1, kNow);
  EXPECT_EQ(condition(status, "Healthy", "status"), "True");
  EXPECT_EQ(condition(working_status({}, one({}), 1, kNow), "Healthy", "status"), "Unknown");
}

TEST(GeneratorStatus, SaysWhyAGeneratorIsRefused) {
  const std::vector<Problem> problems(7, {.reason = "InvalidURL", .message = "write another"});
  const json::Value status = refused_status({}, problems, 3, kNow);
  EXPECT_EQ(condition(status, "Accepted", "status"), "False");
  EXPECT_EQ(condition(status, "Accepted", "reason"), "InvalidURL");
  EXPECT_THAT(condition(status, "Accepted", "message"), HasSubstr("write another; and 2 more"));
  EXPECT_EQ(condition(status, "Healthy", "status"), "Unknown");
}

TEST(GeneratorStatus, KeepsTheTimeOfATransition) {
  const json::Value first = working_status({}, one({.score = 30}), 1, kNow);
  const json::Value second = working_status(first, one({.score = 31}), 1, kNow + 1h);
  EXPECT_EQ(condition(second, "Healthy", "lastTransitionTime"), "2027-01-15T08:00:00Z");
}

TEST(GeneratorStatus, TellsNewNumbersFromNewFacts) {
  const json::Value before = working_status({}, one({.value = 30, .score = 30}), 1, kNow);
  EXPECT_FALSE(
      differs_in_kind(before, working_status(before, one({.value = 40, .score = 40}), 1, kNow)));
  EXPECT_TRUE(
      differs_in_kind(before, working_status(before, one({.score = 30, .error = "x"}), 1, kNow)));
  EXPECT_TRUE(
      differs_in_kind(before, working_status(before, one({.value = 30, .score = 30}), 2, kNow)));
  EXPECT_TRUE(differs_in_kind({}, before));
}

TEST(GeneratorStatus, SaysWhichPartOfItIsSimulated) {
  const json::Value status = working_status({}, one({.score = 30}), 1, kNow, 20ms);
  EXPECT_EQ(condition(status, "Accepted", "message"),
            "the agent of this cluster carries it out; 20 ms of each connection are simulated");
}

}  // namespace
}  // namespace berth::scores

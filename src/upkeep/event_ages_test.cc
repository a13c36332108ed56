#include "upkeep/event_ages.h"

#include <string>

#include <gtest/gtest.h>

#include "base/rfc3339.h"
#include "json/parse.h"

namespace berth::upkeep {
namespace {

using namespace std::chrono_literals;

const Time kNoon = parse_rfc3339("2026-11-16T12:00:00Z").value();

json::Value event(const std::string& name, const std::string& more) {
  return json::parse(R"({"metadata":{"namespace":"ns","resourceVersion":"7","name":")" + name +
                     R"(","creationTimestamp":"2026-11-16T12:00:00Z"})" + more + "}")
      .value();
}

TEST(EventAges, CountFromTheLastNews) {
  struct Case {
    const char* fields;
    Duration after_noon;
  };
  const Case cases[] = {
      {"", 0s},
      {R"(,"eventTime":"2026-11-16T12:00:10.000000Z")", 10s},
      {R"(,"eventTime":null,"lastTimestamp":"2026-11-16T12:00:20Z")", 20s},
      {R"(,"eventTime":"2026-11-16T12:00:10.000000Z","series":{"count":2,
          "lastObservedTime":"2026-11-16T12:00:30.000000Z"})",
       30s},
      {R"(,"eventTime":"2020-01-01T00:00:00.000000Z","lastTimestamp":"2020-01-01T00:00:00Z")", 0s},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.fields);
    EXPECT_EQ(last_heard_of(event("e", c.fields)), kNoon + c.after_noon);
  }
  EXPECT_EQ(last_heard_of(json::parse("{}").value()), std::nullopt);
}

TEST(EventAges, LetTheOldestGoFirst) {
  EventAges ages(1h);
  ages.put(event("late", R"(,"lastTimestamp":"2026-11-16T12:00:20Z")"));
  ages.put(event("early", ""));
  EXPECT_EQ(ages.next_due(), kNoon + 1h);
  EXPECT_TRUE(ages.take_due(kNoon + 1h - 1s, 10).empty());
  const auto due = ages.take_due(kNoon + 2h, 1);
  ASSERT_EQ(due.size(), 1U);
  EXPECT_EQ(due[0], (EventAges::Expired{{"ns", "early"}, "7"}));
  EXPECT_EQ(ages.take_due(kNoon + 2h, 10).size(), 1U);
  EXPECT_EQ(ages.size(), 0U);
  EXPECT_EQ(ages.next_due(), std::nullopt);
}

TEST(EventAges, GrowYoungAgainWhenItHappensAgain) {
  EventAges ages(1h);
  ages.put(event("e", ""));
  ages.put(event("e", R"(,"lastTimestamp":"2026-11-16T12:30:00Z")"));
  EXPECT_EQ(ages.size(), 1U);
  EXPECT_EQ(ages.next_due(), kNoon + 90min);
  ages.remove({"ns", "e"});
  EXPECT_EQ(ages.size(), 0U);
}

TEST(EventAges, ComeAgainWhenTheyCouldNotGo) {
  EventAges ages(1h);
  ages.put(event("e", ""));
  const EventAges::Expired expired = ages.take_due(kNoon + 1h, 1).at(0);
  ages.put_off(expired, kNoon + 2h);
  EXPECT_TRUE(ages.take_due(kNoon + 1h, 1).empty());
  ages.put_off(expired, kNoon);
  EXPECT_EQ(ages.next_due(), kNoon + 2h) << "it is known again, and what is known wins";
  EXPECT_EQ(ages.take_due(kNoon + 2h, 1).at(0), expired);
}

}  // namespace
}  // namespace berth::upkeep

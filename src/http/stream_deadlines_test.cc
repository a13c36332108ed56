#include "http/stream_deadlines.h"

#include <memory>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

namespace berth::http {
namespace {

using namespace std::chrono_literals;

struct Item {
  StreamId id;
  Instant moved_at = {};
  bool turned = true;
  bool patient = false;
};

std::optional<Instant> deadline_of(const Item& item) {
  if (item.patient) return std::nullopt;
  return item.moved_at + 10s;
}

TEST(StreamDeadlines, FindTheStreamsThatStandStill) {
  StreamTable<Item> table;
  StreamDeadlines deadlines;
  for (const StreamId id : {1, 3, 5}) {
    deadlines.pass_turn(table.add(std::make_unique<Item>(Item{.id = id})));
  }
  table.find(5)->patient = true;
  EXPECT_EQ(deadlines.next(), std::nullopt);
  deadlines.rearm(table, Instant(100s), deadline_of);
  EXPECT_EQ(deadlines.next(), Instant(110s));
  table.find(1)->moved_at = Instant(105s);
  EXPECT_TRUE(deadlines.expired(table, Instant(109s), deadline_of).empty());
  EXPECT_EQ(deadlines.expired(table, Instant(110s), deadline_of), (std::vector<StreamId>{3}));
  EXPECT_EQ(deadlines.next(), Instant(115s));
}

TEST(StreamDeadlines, StartAnewOnlyForTheStreamWhoseTurnHasPassed) {
  StreamTable<Item> table;
  StreamDeadlines deadlines;
  for (const StreamId id : {1, 3}) {
    deadlines.pass_turn(table.add(std::make_unique<Item>(Item{.id = id})));
  }
  deadlines.rearm(table, Instant(100s), deadline_of);
  deadlines.pass_turn(*table.find(3));
  deadlines.rearm(table, Instant(108s), deadline_of);
  EXPECT_EQ(deadlines.expired(table, Instant(110s), deadline_of), (std::vector<StreamId>{1}));
  EXPECT_EQ(deadlines.expired(table, Instant(118s), deadline_of), (std::vector<StreamId>{1, 3}));
}

}  // namespace
}  // namespace berth::http

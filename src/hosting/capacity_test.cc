#include "hosting/capacity.h"

#include <map>

#include <gtest/gtest.h>

#include "hosting/testing/hosting_builder.h"

namespace berth::hosting {
namespace {

using namespace std::chrono_literals;
using testing::host;
using testing::kNow;

std::map<std::string, int> scores(const Host& of) {
  std::map<std::string, int> all;
  for (const CapacityScore& score : capacity_scores(of, kNow)) all[score.name] = score.value;
  return all;
}

TEST(Capacity, IsHighestWhereMostIsFree) {
  EXPECT_EQ(scores(host("h", 0))["freeSlots"], 100);
  EXPECT_EQ(scores(host("h", 40))["freeSlots"], 0);
  EXPECT_EQ(scores(host("h", 80))["freeSlots"], -100);
  EXPECT_EQ(scores(host("h", 90))["freeSlots"], -100);
}

TEST(Capacity, OfResourcesIsInTheMiddleWhenItIsNotKnown) {
  Host known = host("h", 1);
  EXPECT_EQ(scores(known)["cpuHeadroom"], 0);
  known.observation.capacity[Resource::Cpu] = 20'000;
  known.weigh(kNow);
  EXPECT_EQ(scores(known)["cpuHeadroom"], 50);
}

TEST(Capacity, IsWorstWhereNothingNewMayGo) {
  Host closed = host("h");
  closed.ledger.is_cordoned = true;
  for (const auto& [name, value] : scores(closed)) EXPECT_EQ(value, -100) << name;
  Host dead = host("h");
  dead.observation.is_live = false;
  EXPECT_EQ(scores(dead)["freeSlots"], -100) << "silence is never a good score";
}

TEST(Capacity, IsWrittenWhenItChangesAndBeforeItEnds) {
  const Host idle = host("h");
  json::Value object = with_capacity({}, idle, kNow);
  EXPECT_EQ(*object.find_path({"metadata", "name"}), "hosting-capacity");
  EXPECT_EQ(*object.find_path({"metadata", "namespace"}), "h");
  EXPECT_EQ(with_capacity(object, idle, kNow + 1min), object);
  EXPECT_NE(with_capacity(object, idle, kNow + 2min), object) << "its end is near";
  EXPECT_NE(with_capacity(object, host("h", 9), kNow), object);
}

TEST(LoadSummary, SaysWhatDecisionsReckonWith) {
  Host busy = host("h", 7);
  busy.ledger.claims = {{.request_uid = "u"}};
  busy.observation.capacity[Resource::Pods] = 1000;
  busy.weigh(kNow);
  const json::Value summary = load_summary(busy, kNow);
  EXPECT_EQ(summary, testing::parsed(R"({"hosted":8,"foreign":7,"inFlight":1,"max":80,
      "threshold":60,"fresh":true,"free":{"pods":"400"}})"));
  json::Value other = summary;
  other["free"]["pods"] = "399";
  EXPECT_FALSE(differ_in_counts(summary, other));
  other["max"] = 81;
  EXPECT_TRUE(differ_in_counts(summary, other));
}

}  // namespace
}  // namespace berth::hosting

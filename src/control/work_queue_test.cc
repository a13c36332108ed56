#include "control/work_queue.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace berth::control {
namespace {

using namespace std::chrono_literals;

using Queue = WorkQueue<std::string>;

constexpr Instant at(Duration since_start) { return Instant(since_start); }

std::vector<std::string> pop_all(Queue& queue, Instant now) {
  std::vector<std::string> keys;
  while (const auto item = queue.pop(now)) keys.push_back(item->key);
  return keys;
}

TEST(WorkQueue, HandsOutEachKeyOnceInTheOrderOfTheirTimes) {
  Queue queue;
  queue.add("b", at(2s));
  queue.add("a", at(1s));
  queue.add("b", at(2s));
  EXPECT_EQ(queue.next_due(), at(1s));
  EXPECT_EQ(pop_all(queue, at(0s)), std::vector<std::string>{});
  EXPECT_EQ(pop_all(queue, at(3s)), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(queue.next_due(), std::nullopt);
}

TEST(WorkQueue, TheEarlierTimeWins) {
  Queue queue;
  queue.add("a", at(5s));
  queue.add("a", at(2s));
  queue.add("a", at(9s));
  EXPECT_EQ(queue.next_due(), at(2s));
  EXPECT_EQ(queue.pop(at(3s))->waited, 1s);
}

TEST(WorkQueue, AKeyInWorkIsNotHandedOutAgainBeforeDone) {
  Queue queue;
  queue.add("a", at(0s));
  ASSERT_TRUE(queue.pop(at(0s)));
  queue.add("a", at(0s));
  queue.add("a", at(0s));
  EXPECT_FALSE(queue.pop(at(1s)));
  queue.done("a");
  EXPECT_EQ(pop_all(queue, at(1s)), std::vector<std::string>{"a"});
  queue.done("a");
  EXPECT_FALSE(queue.pop(at(9s)));
}

TEST(WorkQueue, WhatIsDueFirstGoesFirst) {
  Queue queue;
  queue.add("late", at(2s));
  queue.add("early", at(1s));
  queue.add("also early", at(1s));
  queue.add("late", at(3s));
  EXPECT_EQ(pop_all(queue, at(2s)), (std::vector<std::string>{"early", "also early", "late"}));
}

TEST(WorkQueue, AReadyKeyCanBecomeDueEarlier) {
  Queue queue;
  queue.add("a", at(1s));
  queue.add("b", at(2s));
  queue.advance(at(3s));
  queue.add("b", at(0s));
  EXPECT_EQ(pop_all(queue, at(3s)), (std::vector<std::string>{"b", "a"}));
}

TEST(WorkQueue, ForgetsWhatWaitsAndWhatWouldComeAgain) {
  Queue queue;
  queue.add("a", at(0s));
  queue.forget("a");
  EXPECT_FALSE(queue.pop(at(1s)));
  queue.add("a", at(0s));
  ASSERT_TRUE(queue.pop(at(1s)));
  queue.add("a", at(0s));
  queue.forget("a");
  queue.done("a");
  EXPECT_FALSE(queue.pop(at(1s)));
  EXPECT_EQ(queue.stats().depth, 0u);
}

TEST(WorkQueue, TellsWhetherAKeyWasAskedForBefore) {
  Queue queue;
  EXPECT_EQ(queue.add("a", at(5s)), Queue::Added::New);
  EXPECT_EQ(queue.add("a", at(0s)), Queue::Added::Already);
  ASSERT_TRUE(queue.pop(at(1s)));
  EXPECT_EQ(queue.add("a", at(1s)), Queue::Added::New) << "another run";
  EXPECT_EQ(queue.add("a", at(1s)), Queue::Added::Already);
}

TEST(WorkQueue, CountsWhatIsDueApartFromWhatHasToWait) {
  Queue queue;
  queue.add("a", at(1s));
  queue.add("b", at(9s));
  EXPECT_EQ(queue.stats().ready, 0u);
  queue.advance(at(2s));
  EXPECT_EQ(queue.stats().ready, 1u);
  EXPECT_EQ(queue.stats().depth, 2u);
}

TEST(WorkQueue, KnowsTheAgeOfWhatIsInWork) {
  Queue queue;
  queue.add("a", at(0s));
  queue.add("b", at(0s));
  queue.pop(at(1s));
  queue.pop(at(3s));
  EXPECT_EQ(queue.worked_on("a", at(4s)), Duration(3s));
  EXPECT_EQ(queue.in_hand(at(4s)).total, Duration(4s));
  EXPECT_EQ(queue.in_hand(at(4s)).longest, Duration(3s));
  queue.done("a");
  EXPECT_EQ(queue.in_hand(at(4s)).longest, Duration(1s));
}

// Against the plainest model: per key, is it wanted, and is somebody working on it?
RC_GTEST_PROP(WorkQueueProperty, LosesNoWakeUpAndNeverWorksTwiceOnOneKey,
              (const std::vector<std::pair<std::uint8_t, std::uint8_t>>& steps)) {
  Queue queue;
  std::map<std::string, bool> wanted;
  std::set<std::string> in_work;
  Instant now = at(0s);
  for (const auto& [action, number] : steps) {
    const std::string key(1, static_cast<char>('a' + number % 4));
    now += 1ms;
    if (action % 3 == 0) {
      queue.add(key, now);
      wanted[key] = true;
    } else if (action % 3 == 1) {
      if (const auto item = queue.pop(now)) {
        RC_ASSERT(wanted[item->key]);
        RC_ASSERT(in_work.insert(item->key).second);
        wanted[item->key] = false;
      }
    } else if (in_work.erase(key) > 0) {
      queue.done(key);
    }
  }
  for (const std::string& key : in_work) queue.done(key);
  std::set<std::string> left;
  while (const auto item = queue.pop(now)) left.insert(item->key);
  for (const auto& [key, is_wanted] : wanted) RC_ASSERT(left.contains(key) == is_wanted);
}

}  // namespace
}  // namespace berth::control

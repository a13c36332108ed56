#include "nodes/queue.h"

#include <gtest/gtest.h>

namespace berth::nodes {
namespace {

using namespace std::chrono_literals;

constexpr Instant at(Duration time) { return Instant(time); }

TEST(Queue, ServesByPriorityThenByWaiting) {
  SchedulingQueue queue;
  queue.add("late", 0, at(2s));
  queue.add("early", 0, at(1s));
  queue.add("urgent", 100, at(3s));
  EXPECT_EQ(queue.pop(at(3s)), "urgent");
  EXPECT_EQ(queue.pop(at(3s)), "early");
  EXPECT_EQ(queue.pop(at(3s)), "late");
  EXPECT_EQ(queue.pop(at(3s)), std::nullopt);
  EXPECT_EQ(queue.place("late"), QueuePlace::InWork);
}

TEST(Queue, LetsARefusedPodWaitUntilSomethingHelps) {
  SchedulingQueue queue;
  queue.add("p", 0, at(0s));
  queue.pop(at(0s));
  queue.refuse("p", at(0s));
  EXPECT_EQ(queue.place("p"), QueuePlace::Unschedulable);
  EXPECT_EQ(queue.pop(at(100s)), std::nullopt);
  EXPECT_EQ(queue.next_due(), at(300s));
  queue.wake("p", Help::Possible, at(100s));
  EXPECT_EQ(queue.pop(at(100s)), "p");
}

TEST(Queue, TriesEverythingAgainAfterFiveMinutes) {
  SchedulingQueue queue;
  queue.add("p", 0, at(0s));
  queue.pop(at(0s));
  queue.refuse("p", at(0s));
  EXPECT_EQ(queue.pop(at(299s)), std::nullopt);
  EXPECT_EQ(queue.pop(at(300s)), "p");
}

TEST(Queue, BacksOffLongerEachTime) {
  SchedulingQueue queue;
  queue.add("p", 0, at(0s));
  Duration now = 0s;
  for (const Duration backoff :
       {Duration(1s), Duration(2s), Duration(4s), Duration(8s), Duration(10s), Duration(10s)}) {
    ASSERT_EQ(queue.pop(at(now)), "p");
    queue.refuse("p", at(now));
    queue.wake("p", Help::Possible, at(now));
    EXPECT_EQ(queue.place("p"), QueuePlace::BackingOff);
    EXPECT_EQ(queue.next_due(), at(now + backoff));
    EXPECT_EQ(queue.pop(at(now + backoff - 1ns)), std::nullopt);
    now += backoff;
  }
  EXPECT_EQ(queue.attempts("p"), 6);
}

TEST(Queue, CountsTheBackOffFromTheRefusal) {
  SchedulingQueue queue;
  queue.add("p", 0, at(0s));
  queue.pop(at(0s));
  queue.refuse("p", at(0s));
  queue.wake("p", Help::Possible, at(400ms));
  EXPECT_EQ(queue.next_due(), at(1s));
}

TEST(Queue, LetsNobodyBackOffForNothing) {
  SchedulingQueue queue;
  for (const char* uid : {"early", "urgent", "other"}) {
    queue.add(uid, uid == std::string("urgent") ? 100 : 0, at(0s));
    queue.pop(at(0s));
  }
  queue.refuse("early", at(0s));
  queue.refuse("urgent", at(0s));
  queue.wake("early", Help::Certain, at(100ms));
  queue.wake("urgent", Help::Certain, at(200ms));
  queue.add("new", 0, at(200ms));
  EXPECT_EQ(queue.counts(), (QueueCounts{.active = 1, .backing_off = 2}));
  EXPECT_EQ(queue.next_due(), Instant::min());
  EXPECT_EQ(queue.pop(at(200ms)), "new") << "those who were not refused come first";
  EXPECT_EQ(queue.pop(at(200ms)), "urgent");
  EXPECT_EQ(queue.pop(at(200ms)), "early");
  EXPECT_EQ(queue.pop(at(200ms)), std::nullopt);
  queue.retry("early", at(200ms));
  EXPECT_EQ(queue.pop(at(300ms)), std::nullopt) << "it was the server that had trouble";
}

TEST(Queue, RetriesWhatWasNotThePodsFault) {
  SchedulingQueue queue;
  queue.add("p", 0, at(0s));
  queue.pop(at(0s));
  queue.retry("p", at(5s));
  EXPECT_EQ(queue.pop(at(5s)), std::nullopt);
  EXPECT_EQ(queue.pop(at(6s)), "p");
}

TEST(Queue, KeepsGatedPodsUntilTheirGatesAreOpen) {
  SchedulingQueue queue;
  queue.add_gated("p", 0, at(0s));
  EXPECT_EQ(queue.counts(), (QueueCounts{.gated = 1}));
  queue.wake("p", Help::Certain, at(1s));
  EXPECT_EQ(queue.pop(at(1000s)), std::nullopt);
  queue.add("p", 0, at(1000s));
  EXPECT_EQ(queue.counts(), (QueueCounts{.active = 1}));
  EXPECT_EQ(queue.pop(at(1000s)), "p");
}

TEST(Queue, AddsNothingTwice) {
  SchedulingQueue queue;
  queue.add("p", 0, at(0s));
  queue.add("p", 0, at(0s));
  EXPECT_EQ(queue.pop(at(0s)), "p");
  queue.add("p", 0, at(0s));
  EXPECT_EQ(queue.pop(at(0s)), std::nullopt);
}

TEST(Queue, ForgetsWhatIsRemovedWhereverItIs) {
  SchedulingQueue queue;
  for (const char* uid : {"active", "backing", "parked", "work"}) queue.add(uid, 0, at(0s));
  queue.add_gated("gated", 0, at(0s));
  for (int i = 0; i < 4; ++i) queue.pop(at(0s));
  queue.retry("backing", at(0s));
  queue.refuse("parked", at(0s));
  EXPECT_EQ(queue.unschedulable(), std::vector<std::string>{"parked"});
  for (const char* uid : {"active", "backing", "parked", "work", "gated", "unknown"}) {
    queue.remove(uid);
  }
  EXPECT_EQ(queue.counts(), QueueCounts());
  EXPECT_EQ(queue.next_due(), std::nullopt);
  queue.refuse("work", at(0s));  // It went away while it was in work.
  EXPECT_EQ(queue.place("work"), QueuePlace::Absent);
}

}  // namespace
}  // namespace berth::nodes

#include "sim/schedule.h"

#include <vector>

#include <gtest/gtest.h>

namespace berth::sim {
namespace {

using namespace std::chrono_literals;

TEST(Schedule, RunsByTimeAndThenByOrderOfPlanning) {
  Schedule schedule;
  std::vector<int> order;
  schedule.add(2s, [&] { order.push_back(3); });
  schedule.add(1s, [&] { order.push_back(1); });
  schedule.add(1s, [&] { order.push_back(2); });
  while (schedule.run_next()) {
  }
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(schedule.now(), 2s);
}

TEST(Schedule, ForgetsWhatIsCancelledAndReusesItsPlaceSafely) {
  Schedule schedule;
  int ran = 0;
  const Schedule::Ticket first = schedule.add(1s, [&] { ran += 1; });
  schedule.cancel(first);
  EXPECT_FALSE(schedule.next().has_value());
  const Schedule::Ticket second = schedule.add(1s, [&] { ran += 10; });
  schedule.cancel(first);  // Stale: it must not hit what has taken its place.
  schedule.cancel({});
  EXPECT_TRUE(schedule.run_next());
  schedule.cancel(second);
  EXPECT_EQ(ran, 10);
}

TEST(Schedule, TreatsThePastAsNow) {
  Schedule schedule;
  schedule.advance_to(5s);
  schedule.add(1s, [] {});
  EXPECT_EQ(schedule.next(), 5s);
}

}  // namespace
}  // namespace berth::sim

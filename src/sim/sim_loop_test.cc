#include "sim/sim_loop.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace berth::sim {
namespace {

using namespace std::chrono_literals;

class SimLoopTest : public ::testing::Test {
 protected:
  void run() {
    while (schedule_.run_next()) {
    }
  }

  Schedule schedule_;
  NodeClock clock_{{}};
  std::shared_ptr<SimLoop> loop_ = std::make_shared<SimLoop>(schedule_, clock_);
  std::vector<std::string> heard_;
};

TEST_F(SimLoopTest, RunsPostsInOrderAndNotInsideThePost) {
  loop_->post([this] {
    loop_->post([this] { heard_.push_back("inner"); });
    heard_.push_back("first");
  });
  loop_->post([this] { heard_.push_back("second"); });
  EXPECT_TRUE(heard_.empty());
  run();
  EXPECT_EQ(heard_, (std::vector<std::string>{"first", "second", "inner"}));
}

TEST_F(SimLoopTest, ATimerThatIsCancelledByItsNeighbourDoesNotRing) {
  env::Timer second;
  const env::Timer first = loop_->at(Instant(1s), [&] { second.cancel(); });
  second = loop_->at(Instant(1s), [this] { heard_.push_back("rang"); });
  run();
  EXPECT_TRUE(heard_.empty());
  EXPECT_EQ(schedule_.now(), 1s);
}

TEST_F(SimLoopTest, ATimerWaitsUntilTheMachinesOwnClockSaysSo) {
  clock_ = NodeClock({.drift_ppm = -500'000});  // Half as fast.
  const env::Timer timer = loop_->at(Instant(1s), [this] { heard_.push_back("rang"); });
  run();
  EXPECT_EQ(schedule_.now(), 2s);
}

TEST_F(SimLoopTest, ATimerIsPlannedAgainIfTheClockSlowsDown) {
  const env::Timer timer = loop_->at(Instant(4s), [this] { heard_.push_back("rang"); });
  schedule_.add(2s, [this] { clock_.set_drift(-500'000, 2s); });
  run();
  EXPECT_EQ(schedule_.now(), 6s);
  EXPECT_EQ(heard_.size(), 1u);
}

TEST_F(SimLoopTest, DoesNothingElseWhileItBlocks) {
  const LoopClock clock(*loop_, clock_);
  loop_->post([this] { loop_->block_for(3s); });
  loop_->post([&] { EXPECT_EQ(clock.monotonic(), Instant(3s)); });
  const env::Timer timer = loop_->at(Instant(1s), [&] {
    EXPECT_EQ(clock.monotonic(), Instant(3s));
    heard_.push_back("late");
  });
  run();
  EXPECT_EQ(heard_.size(), 1u);
}

TEST_F(SimLoopTest, WhatWasToRunWaitsForTheEndOfABlockAndTheEndMayComeEarly) {
  for (const Duration woken : {9s, 2s}) {
    const Moment began = schedule_.now();
    loop_->post(
        [this, began] { heard_.push_back(std::to_string((schedule_.now() - began) / 1s)); });
    loop_->block_for(5s);  // From outside, with the turn planned already.
    schedule_.add(began + woken, [this] { loop_->wake(); });
    run();
  }
  EXPECT_EQ(heard_, (std::vector<std::string>{"5", "2"}));
}

TEST_F(SimLoopTest, ADeadLoopDropsWhatWaitsAndWhatComes) {
  const auto resource = std::make_shared<int>(1);
  loop_->post([this, resource] { heard_.push_back("posted"); });
  const env::Timer timer = loop_->at(Instant(1s), [this, resource] { heard_.push_back("timed"); });
  loop_->kill();
  EXPECT_EQ(resource.use_count(), 1);
  loop_->post([this] { heard_.push_back("later"); });
  const env::Timer after = loop_->at(Instant(1s), [this] { heard_.push_back("later"); });
  run();
  EXPECT_TRUE(heard_.empty());
}

}  // namespace
}  // namespace berth::sim

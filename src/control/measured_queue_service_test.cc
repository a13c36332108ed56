#include "control/measured_queue_service.h"

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "sim/world.h"

namespace berth::control {
namespace {

using namespace std::chrono_literals;

class QueueWorld : public ::testing::Test {
 protected:
  QueueWorld() {
    world_.add_node("controller").start([this](std::span<env::Env> loops) {
      metrics_ = &loops[0].metrics;
      auto queue = std::make_shared<MeasuredQueue<std::string>>(loops[0], "placement");
      queue_ = queue.get();
      clock_ = &loops[0].clock;
      return queue;
    });
    world_.run_for(1ms);
  }

  // "workqueue_depth{name="placement"} 2" gives "2"; empty when there is no such series.
  std::string value(const std::string& series) const {
    const std::string text = metrics_->exposition();
    const std::string start = "workqueue_" + series + "{name=\"placement\"} ";
    const std::size_t found = text.find(start);
    if (found == std::string::npos) return "";
    const std::size_t from = found + start.size();
    return text.substr(from, text.find('\n', from) - from);
  }

  sim::World world_{{}};
  env::Metrics* metrics_ = nullptr;
  env::Clock* clock_ = nullptr;
  MeasuredQueue<std::string>* queue_ = nullptr;
};

TEST_F(QueueWorld, CountsKeysAsClientGoDoes) {
  queue_->add("a");
  queue_->add("a");
  queue_->add("b");
  queue_->add_at("c", clock_->monotonic() + 10s);
  EXPECT_EQ(value("adds_total"), "3") << "each key once";
  EXPECT_EQ(value("retries_total"), "1") << "what is put off";
  EXPECT_EQ(value("depth"), "2") << "what nobody has to wait for";
}

TEST_F(QueueWorld, TimesTheWaitAndTheWork) {
  queue_->add("a");
  world_.run_for(2s);
  ASSERT_TRUE(queue_->pop());
  EXPECT_EQ(value("queue_duration_seconds_sum"), "2");
  EXPECT_EQ(value("depth"), "0");
  world_.run_for(3s);
  queue_->done("a");
  EXPECT_EQ(value("work_duration_seconds_sum"), "3");
  EXPECT_EQ(value("work_duration_seconds_count"), "1");
}

TEST_F(QueueWorld, ShowsWorkThatDoesNotEnd) {
  queue_->add("a");
  queue_->add("b");
  ASSERT_TRUE(queue_->pop());
  world_.run_for(1s);
  ASSERT_TRUE(queue_->pop());
  world_.run_for(1s);
  EXPECT_EQ(value("unfinished_work_seconds"), "3");
  EXPECT_EQ(value("longest_running_processor_seconds"), "2");
  queue_->done("a");
  queue_->done("b");
  EXPECT_EQ(value("unfinished_work_seconds"), "0");
  EXPECT_FALSE(queue_->pop());
}

TEST_F(QueueWorld, ForgetsAKey) {
  queue_->add("a");
  queue_->forget("a");
  EXPECT_EQ(value("depth"), "0");
  EXPECT_EQ(queue_->next_due(), std::nullopt);
  EXPECT_EQ(queue_->stats().adds, 1u);
}

}  // namespace
}  // namespace berth::control

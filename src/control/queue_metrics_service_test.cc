#include "control/queue_metrics_service.h"

#include <gtest/gtest.h>

#include "sim/memory_metrics.h"

namespace berth::control {
namespace {

using namespace std::chrono_literals;

TEST(QueueMetrics, SpeakOfTheirOwnQueueOnly) {
  sim::MemoryMetrics metrics;
  QueueMetrics one(metrics, "one");
  QueueMetrics two(metrics, "two");
  one.ready(4);
  two.ready(7);
  one.added(2);
  one.put_off();
  one.in_hand({.total = 3s, .longest = 1500ms});
  EXPECT_EQ(metrics.value("workqueue_depth", {{"name", "one"}}), 4);
  EXPECT_EQ(metrics.value("workqueue_depth", {{"name", "two"}}), 7);
  EXPECT_EQ(metrics.value("workqueue_adds_total", {{"name", "one"}}), 2);
  EXPECT_EQ(metrics.value("workqueue_retries_total", {{"name", "one"}}), 1);
  EXPECT_EQ(metrics.value("workqueue_unfinished_work_seconds", {{"name", "one"}}), 3);
  EXPECT_EQ(metrics.value("workqueue_longest_running_processor_seconds", {{"name", "one"}}), 1.5);
}

}  // namespace
}  // namespace berth::control

#include "client/informer_metrics_service.h"

#include <optional>

#include <gtest/gtest.h>

#include "sim/memory_metrics.h"

namespace berth::client {
namespace {

using namespace std::chrono_literals;

const InformerMetrics::Labels kPods = {.resource = "pods", .host = "hub:6443"};
const std::map<std::string, std::string> kLabels = {{"name", "pods"}, {"host", "hub:6443"}};

TEST(InformerMetrics, CachesOfOneKindAddUp) {
  sim::MemoryMetrics metrics;
  InformerMetrics one(metrics, kPods);
  std::optional<InformerMetrics> two;
  two.emplace(metrics, kPods);
  one.holds(5);
  two->holds(7);
  one.holds(4);
  two->is_queueing(3);
  one.is_synced();
  one.is_synced();
  EXPECT_EQ(metrics.value("berth_informer_objects", kLabels), 11);
  EXPECT_EQ(metrics.value("berth_informer_handler_queue_depth", kLabels), 3);
  EXPECT_EQ(metrics.value("berth_informer_synced", kLabels), 1);
  two.reset();
  EXPECT_EQ(metrics.value("berth_informer_objects", kLabels), 4) << "the dead hold nothing";
  EXPECT_EQ(metrics.value("berth_informer_handler_queue_depth", kLabels), 0);
}

TEST(InformerMetrics, ListsAndWatchesAreCounted) {
  sim::MemoryMetrics metrics;
  InformerMetrics informer(metrics, kPods);
  informer.listed(2s, 10);
  informer.watch_began();
  informer.watch_began();
  informer.watch_ended(300s, 4);
  EXPECT_EQ(metrics.value("reflector_lists_total", kLabels), 1);
  EXPECT_EQ(metrics.value("reflector_watches_total", kLabels), 2);
  const std::string text = metrics.exposition();
  EXPECT_TRUE(
      text.contains("reflector_list_duration_seconds_sum{host=\"hub:6443\",name=\"pods\"} 2"))
      << text;
  EXPECT_TRUE(text.contains("reflector_items_per_watch_sum{host=\"hub:6443\",name=\"pods\"} 4"));
}

}  // namespace
}  // namespace berth::client

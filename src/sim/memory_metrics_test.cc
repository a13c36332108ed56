#include "sim/memory_metrics.h"

#include <gtest/gtest.h>

namespace berth::sim {
namespace {

TEST(MemoryMetrics, CanBeReadBack) {
  MemoryMetrics metrics;
  metrics.counter({"a_total", "A.", {{"verb", "get"}}}).add(2);
  metrics.counter({"a_total", "A.", {{"verb", "get"}}}).increment();
  metrics.gauge({"depth", "Depth."}).set(7);
  metrics.histogram({"took_seconds", "Took."}, {1}).observe(0.25);
  metrics.histogram({"took_seconds", "Took."}, {1}).observe(0.5);
  EXPECT_EQ(metrics.value("a_total", {{"verb", "get"}}), 3);
  EXPECT_EQ(metrics.value("nothing", {}), 0);
  EXPECT_EQ(metrics.exposition(),
            "a_total{verb=\"get\"} 3\ndepth 7\ntook_seconds_count 2\ntook_seconds_sum 0.75\n");
}

}  // namespace
}  // namespace berth::sim

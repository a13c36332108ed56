#include "runtime/prometheus_metrics.h"

#include <gtest/gtest.h>

namespace berth::runtime {
namespace {

TEST(PrometheusMetrics, ExposesCountersGaugesAndHistogramsAsText) {
  PrometheusMetrics metrics;
  metrics.counter({"requests_total", "Requests.", {{"verb", "get"}}}).add(2);
  metrics.gauge({"queue_depth", "Depth."}).set(3.5);
  metrics.histogram({"latency_seconds", "Latency."}, {0.1, 1}).observe(0.5);
  const std::string text = metrics.exposition();
  for (const char* line :
       {"# TYPE requests_total counter\n", "requests_total{verb=\"get\"} 2\n", "queue_depth 3.5\n",
        "latency_seconds_bucket{le=\"0.1\"} 0\n", "latency_seconds_bucket{le=\"1\"} 1\n",
        "latency_seconds_count 1\n", "process_resident_memory_bytes "}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << "\nin\n" << text;
  }
}

TEST(PrometheusMetrics, GivesTheSameSeriesForTheSameNameAndLabels) {
  PrometheusMetrics metrics;
  env::Counter& first = metrics.counter({"a_total", "A.", {{"x", "1"}}});
  EXPECT_EQ(&first, &metrics.counter({"a_total", "A.", {{"x", "1"}}}));
  EXPECT_NE(&first, &metrics.counter({"a_total", "A.", {{"x", "2"}}}));
}

TEST(PrometheusMetricsDeathTest, RefusesANameWithTwoTypes) {
  PrometheusMetrics metrics;
  metrics.counter({"a_total", "A."});
  EXPECT_DEATH(metrics.gauge({"a_total", "A."}), "CHECK failed");
}

}  // namespace
}  // namespace berth::runtime

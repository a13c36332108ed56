// Metrics kept by prometheus-cpp.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "env/metrics.h"

namespace berth::runtime {

// Adds the process_* series that every dashboard expects.
class PrometheusMetrics final : public env::Metrics {
 public:
  PrometheusMetrics();
  ~PrometheusMetrics() override;

  env::Counter& counter(const env::Series& series) override;
  env::Gauge& gauge(const env::Series& series) override;
  env::Histogram& histogram(const env::Series& series, const std::vector<double>& buckets) override;
  std::string exposition() const override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace berth::runtime

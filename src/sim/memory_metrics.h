// Metrics of one simulated process, to be read by checkers.

#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "env/metrics.h"

namespace berth::sim {

class MemoryMetrics final : public env::Metrics {
 public:
  env::Counter& counter(const env::Series& series) override;
  env::Gauge& gauge(const env::Series& series) override;
  env::Histogram& histogram(const env::Series& series, const std::vector<double>& buckets) override;

  // Counters and gauges, and the sum and count of histograms; no buckets and no help.
  std::string exposition() const override;

  // What a series stands at; 0 if there is none.
  double value(const std::string& name, const std::map<std::string, std::string>& labels) const;

 private:
  class Cell;
  using Key = std::pair<std::string, std::map<std::string, std::string>>;

  Cell& cell(const std::string& name, const env::Series& series);

  std::map<Key, std::shared_ptr<Cell>> cells_;
  std::map<Key, std::unique_ptr<env::Histogram>> histograms_;
};

}  // namespace berth::sim

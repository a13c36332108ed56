#include "sim/memory_metrics.h"

#include <iterator>

#include <fmt/format.h>

namespace berth::sim {

class MemoryMetrics::Cell final : public env::Counter, public env::Gauge {
 public:
  void add(double amount) override { value += amount; }
  void set(double amount) override { value = amount; }
  double value = 0;
};

namespace {

class SumAndCount final : public env::Histogram {
 public:
  SumAndCount(env::Counter& sum, env::Counter& count) : sum_(sum), count_(count) {}
  void observe(double value) override {
    sum_.add(value);
    count_.increment();
  }

 private:
  env::Counter& sum_;
  env::Counter& count_;
};

}  // namespace

MemoryMetrics::Cell& MemoryMetrics::cell(const std::string& name, const env::Series& series) {
  std::shared_ptr<Cell>& cell = cells_[{name, series.labels}];
  if (!cell) cell = std::make_shared<Cell>();
  return *cell;
}

env::Counter& MemoryMetrics::counter(const env::Series& series) {
  return cell(series.name, series);
}

env::Gauge& MemoryMetrics::gauge(const env::Series& series) { return cell(series.name, series); }

env::Histogram& MemoryMetrics::histogram(const env::Series& series,
                                         const std::vector<double>& /*buckets*/) {
  std::unique_ptr<env::Histogram>& histogram = histograms_[{series.name, series.labels}];
  if (!histogram) {
    env::Counter& sum = cell(series.name + "_sum", series);
    env::Counter& count = cell(series.name + "_count", series);
    histogram = std::make_unique<SumAndCount>(sum, count);
  }
  return *histogram;
}

std::string MemoryMetrics::exposition() const {
  std::string text;
  for (const auto& [key, cell] : cells_) {
    std::string labels;
    for (const auto& [name, value] : key.second) {
      fmt::format_to(std::back_inserter(labels), "{}{}=\"{}\"", labels.empty() ? "" : ",", name,
                     value);
    }
    if (!labels.empty()) labels = "{" + labels + "}";
    fmt::format_to(std::back_inserter(text), "{}{} {}\n", key.first, labels, cell->value);
  }
  return text;
}

double MemoryMetrics::value(const std::string& name,
                            const std::map<std::string, std::string>& labels) const {
  const auto found = cells_.find({name, labels});
  return found == cells_.end() ? 0 : found->second->value;
}

}  // namespace berth::sim

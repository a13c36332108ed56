#include "runtime/prometheus_metrics.h"

#include <map>
#include <utility>

#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include "base/check.h"
#include "runtime/mutex.h"
#include "runtime/process_facts.h"

namespace berth::runtime {
namespace {

class KeptCounter final : public env::Counter {
 public:
  explicit KeptCounter(prometheus::Counter& counter) : counter_(counter) {}
  void add(double amount) override { counter_.Increment(amount); }

 private:
  prometheus::Counter& counter_;
};

class KeptGauge final : public env::Gauge {
 public:
  explicit KeptGauge(prometheus::Gauge& gauge) : gauge_(gauge) {}
  void set(double value) override { gauge_.Set(value); }
  void add(double amount) override { gauge_.Increment(amount); }

 private:
  prometheus::Gauge& gauge_;
};

class KeptHistogram final : public env::Histogram {
 public:
  explicit KeptHistogram(prometheus::Histogram& histogram) : histogram_(histogram) {}
  void observe(double value) override { histogram_.Observe(value); }

 private:
  prometheus::Histogram& histogram_;
};

using Key = std::pair<std::string, std::map<std::string, std::string>>;

// The handle for a key, made by `make` the first time.
template <typename Handle, typename Make>
Handle& find_or_make(std::map<Key, std::unique_ptr<Handle>>& handles, const env::Series& series,
                     Make make) {
  std::unique_ptr<Handle>& handle = handles[{series.name, series.labels}];
  if (!handle) handle = make();
  return *handle;
}

}  // namespace

struct PrometheusMetrics::State {
  prometheus::Registry registry;  // Has a lock of its own.
  mutable Mutex mutex;
  std::map<Key, std::unique_ptr<KeptCounter>> counters __attribute__((guarded_by(mutex)));
  std::map<Key, std::unique_ptr<KeptGauge>> gauges __attribute__((guarded_by(mutex)));
  std::map<Key, std::unique_ptr<KeptHistogram>> histograms __attribute__((guarded_by(mutex)));
  std::map<std::string, std::string> types __attribute__((guarded_by(mutex)));

  // prometheus-cpp throws if a name changes its type; that is a mistake of ours.
  void claim(const std::string& name, const std::string& type)
      __attribute__((requires_capability(mutex))) {
    CHECK(types.try_emplace(name, type).first->second == type);
  }
};

PrometheusMetrics::PrometheusMetrics() : state_(std::make_unique<State>()) {}

PrometheusMetrics::~PrometheusMetrics() = default;

env::Counter& PrometheusMetrics::counter(const env::Series& series) {
  const MutexLock lock(state_->mutex);
  state_->claim(series.name, "counter");
  return find_or_make(state_->counters, series, [&] {
    auto& family =
        prometheus::BuildCounter().Name(series.name).Help(series.help).Register(state_->registry);
    return std::make_unique<KeptCounter>(family.Add(series.labels));
  });
}

env::Gauge& PrometheusMetrics::gauge(const env::Series& series) {
  const MutexLock lock(state_->mutex);
  state_->claim(series.name, "gauge");
  return find_or_make(state_->gauges, series, [&] {
    auto& family =
        prometheus::BuildGauge().Name(series.name).Help(series.help).Register(state_->registry);
    return std::make_unique<KeptGauge>(family.Add(series.labels));
  });
}

env::Histogram& PrometheusMetrics::histogram(const env::Series& series,
                                             const std::vector<double>& buckets) {
  const MutexLock lock(state_->mutex);
  state_->claim(series.name, "histogram");
  return find_or_make(state_->histograms, series, [&] {
    auto& family =
        prometheus::BuildHistogram().Name(series.name).Help(series.help).Register(state_->registry);
    return std::make_unique<KeptHistogram>(family.Add(series.labels, buckets));
  });
}

std::string PrometheusMetrics::exposition() const {
  auto families = state_->registry.Collect();
  for (const ProcessFact& fact : read_process_facts()) {
    prometheus::MetricFamily family;
    family.name = fact.name;
    family.help = fact.help;
    family.type = fact.is_counter ? prometheus::MetricType::Counter : prometheus::MetricType::Gauge;
    family.metric.emplace_back();
    if (fact.is_counter) {
      family.metric[0].counter.value = fact.value;
    } else {
      family.metric[0].gauge.value = fact.value;
    }
    families.push_back(std::move(family));
  }
  return prometheus::TextSerializer().Serialize(families);
}

}  // namespace berth::runtime

// Numbers about the running process, for Prometheus to collect.

#pragma once

#include <map>
#include <string>
#include <vector>

namespace berth::env {

// Updating is thread-safe and cheap; looking one up in Metrics is neither needed nor cheap in a hot
// path: keep the reference.
class Counter {
 public:
  virtual ~Counter() = default;
  virtual void add(double amount) = 0;  // Never negative.
  void increment() { add(1); }
};

class Gauge {
 public:
  virtual ~Gauge() = default;
  virtual void set(double value) = 0;
  virtual void add(double amount) = 0;
};

class Histogram {
 public:
  virtual ~Histogram() = default;
  virtual void observe(double value) = 0;
};

// One time series. The values of labels come from small closed sets, never from users' names.
struct Series {
  std::string name;  // thing_unit, with _total for counters.
  std::string help;
  std::map<std::string, std::string> labels = {};
};

// Thread-safe. The same name with the same labels is the same series; the references live as long
// as the Metrics. A name is used for one type only.
class Metrics {
 public:
  virtual ~Metrics() = default;

  virtual Counter& counter(const Series& series) = 0;
  virtual Gauge& gauge(const Series& series) = 0;

  // Buckets are upper bounds, ascending, and the same for all series of one name.
  virtual Histogram& histogram(const Series& series, const std::vector<double>& buckets) = 0;

  // All of them in Prometheus' text format (version 0.0.4).
  virtual std::string exposition() const = 0;
};

}  // namespace berth::env

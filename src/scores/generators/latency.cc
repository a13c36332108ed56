#include "scores/generators/latency.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace berth::scores {
namespace {

constexpr std::int32_t kMillisMax = 100;  // Of a score that is plain milliseconds.

double millis(Duration length) { return static_cast<double>(length.count()) / 1e6; }

// The values are not empty.
double aggregate_of(std::vector<double> values, Aggregate aggregate) {
  std::ranges::sort(values);
  const std::size_t count = values.size();
  switch (aggregate) {
    case Aggregate::Mean:
      return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(count);
    case Aggregate::Median:
      return (values[(count - 1) / 2] + values[count / 2]) / 2;
    case Aggregate::P90:
      return values[(count * 9 + 9) / 10 - 1];  // The nearest rank.
    case Aggregate::Min:
      return values.front();
  }
  return values.back();
}

}  // namespace

double measured_millis(const Timings& timings, const Latency& latency) {
  switch (latency.measure) {
    case Measure::Connect:
      return millis(timings.connect);
    case Measure::Tls:
      return millis(timings.tls);
    case Measure::FirstByte:
      return millis(timings.first_byte);
    case Measure::Total:
      break;
  }
  if (latency.location.method == Method::Dns) return millis(timings.resolve);
  return millis(timings.connect + timings.tls + timings.first_byte);
}

double worst_millis(const Latency& latency) {
  return latency.normaliser ? latency.normaliser->max : kMillisMax;
}

std::optional<double> round_millis(std::span<const std::optional<double>> runs,
                                   const Latency& latency) {
  std::vector<double> values;
  for (const std::optional<double>& run : runs) {
    if (run) {
      values.push_back(*run);
    } else if (latency.on_error == OnError::Worst) {
      values.push_back(worst_millis(latency));
    }
  }
  if (values.empty()) return std::nullopt;
  return aggregate_of(std::move(values), latency.aggregate);
}

std::int32_t latency_score(double value, const Latency& latency) {
  const auto score = latency.normaliser ? normalise(value, *latency.normaliser)
                                        : rounded_score(value, 0, kMillisMax);
  return score.value_or(kMillisMax);  // A time is never a NaN.
}

}  // namespace berth::scores

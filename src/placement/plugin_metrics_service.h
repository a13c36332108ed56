// How long plugins and expressions take, in the reference's series.

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "env/clock.h"
#include "env/env.h"
#include "env/metrics.h"
#include "placement/stopwatch.h"

namespace berth::placement {

// Of one of the scheduling_* series, which all have the reference's buckets and its label `name`.
env::Histogram& scheduling_histogram(env::Metrics& metrics, env::Series series);

class PluginMetrics final : public Stopwatch {
 public:
  explicit PluginMetrics(const env::Env& env);

  Instant read() const override { return clock_.monotonic(); }
  void plugin_ran(PluginType type, std::string_view name, Duration length) override;
  void expression_ran(std::size_t clusters, Duration length) override;

 private:
  env::Clock& clock_;
  env::Metrics& metrics_;
  std::map<std::pair<PluginType, std::string>, env::Histogram*> plugins_;
  env::Histogram& expressions_;
};

}  // namespace berth::placement

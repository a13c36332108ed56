#include "placement/plugin_metrics_service.h"

#include <chrono>
#include <vector>

namespace berth::placement {
namespace {

double seconds(Duration length) { return std::chrono::duration<double>(length).count(); }

// Of scores that users name, all are one: "AddOn" of "AddOn/gpu/free". So there are few series.
std::string_view closed_name(std::string_view plugin) { return plugin.substr(0, plugin.find('/')); }

}  // namespace

env::Histogram& scheduling_histogram(env::Metrics& metrics, env::Series series) {
  // As the reference has them: a millionth of a second to a thousand.
  static const std::vector<double> kBuckets = {1e-6, 1e-5, 1e-4, 1e-3, 1e-2,
                                               1e-1, 1,    10,   100,  1000};
  series.labels["name"] = "placement_scheduling";
  return metrics.histogram(series, kBuckets);
}

PluginMetrics::PluginMetrics(const env::Env& env)
    : clock_(env.clock),
      metrics_(env.metrics),
      expressions_(scheduling_histogram(
          env.metrics, {.name = "scheduling_cel_runtime_duration_seconds",
                        .help = "How long an expression takes on one cluster, on average."})) {}

void PluginMetrics::plugin_ran(PluginType type, std::string_view name, Duration length) {
  env::Histogram*& histogram = plugins_[{type, std::string(closed_name(name))}];
  if (!histogram) {
    histogram = &scheduling_histogram(
        metrics_,
        {.name = "scheduling_plugin_duration_seconds",
         .help = "How long a filter or prioritizer takes, for all clusters together.",
         .labels = {{"plugin_type", type == PluginType::Filter ? "filter" : "prioritizer"},
                    {"plugin_name", std::string(closed_name(name))}}});
  }
  histogram->observe(seconds(length));
}

// The clusters are evaluated together; each counts, as in the reference.
void PluginMetrics::expression_ran(std::size_t clusters, Duration length) {
  for (std::size_t i = 0; i < clusters; ++i) {
    expressions_.observe(seconds(length) / static_cast<double>(clusters));
  }
}

}  // namespace berth::placement

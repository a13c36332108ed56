#include "placement/plugin_metrics_service.h"

#include <chrono>
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "placement/deciding/schedule.h"
#include "placement/testing/fleet_builder.h"
#include "sim/world.h"

namespace berth::placement {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;

// The series after one use of the metrics.
std::string series_after(const std::function<void(PluginMetrics&)>& use) {
  sim::World world{{}};
  std::string series;
  world.add_node("hub").start([&](std::span<env::Env> loops) {
    auto metrics = std::make_shared<PluginMetrics>(loops[0]);
    use(*metrics);
    series = loops[0].metrics.exposition();
    return metrics;
  });
  world.run_for(1ms);
  return series;
}

TEST(PluginMetrics, HaveTheNamesOfTheReference) {
  const std::string series = series_after([](PluginMetrics& metrics) {
    metrics.plugin_ran(PluginType::Filter, "Predicate", 2s);
    metrics.plugin_ran(PluginType::Prioritizer, "Steady", 1s);
    metrics.expression_ran(4, 2s);
  });
  for (const char* line :
       {"scheduling_plugin_duration_seconds_sum{name=\"placement_scheduling\","
        "plugin_name=\"Predicate\",plugin_type=\"filter\"} 2",
        "scheduling_plugin_duration_seconds_count{name=\"placement_scheduling\","
        "plugin_name=\"Steady\",plugin_type=\"prioritizer\"} 1",
        "scheduling_cel_runtime_duration_seconds_sum{name=\"placement_scheduling\"} 2",
        "scheduling_cel_runtime_duration_seconds_count{name=\"placement_scheduling\"} 4"}) {
    EXPECT_THAT(series, HasSubstr(line));
  }
}

TEST(PluginMetrics, DoNotGrowWithTheNamesThatUsersChoose) {
  const std::string series = series_after([](PluginMetrics& metrics) {
    metrics.plugin_ran(PluginType::Prioritizer, "AddOn/gpu/free", 1s);
    metrics.plugin_ran(PluginType::Prioritizer, "AddOn/disk/free", 1s);
  });
  EXPECT_THAT(series, HasSubstr("plugin_name=\"AddOn\",plugin_type=\"prioritizer\"} 2"));
  EXPECT_THAT(series, Not(HasSubstr("gpu")));
}

TEST(PluginMetrics, HearOfEveryPluginThatRuns) {
  const std::string series = series_after([](PluginMetrics& metrics) {
    testing::FleetBuilder fleet;
    fleet.cluster("rome");
    fleet.cluster("oslo");
    Options options;
    options.stopwatch = &metrics;
    testing::schedule(fleet, R"spec({"numberOfClusters":1,"predicates":[
      {"requiredClusterSelector":{"celSelector":{"celExpressions":["true"]}}}]})spec",
                      options);
  });
  for (const char* name : {"Predicate", "TaintToleration", "Balance", "Steady"}) {
    EXPECT_THAT(series, HasSubstr(std::string("plugin_name=\"") + name + '"'));
  }
  EXPECT_THAT(series, HasSubstr("scheduling_cel_runtime_duration_seconds_count{"
                                "name=\"placement_scheduling\"} 2"));
}

}  // namespace
}  // namespace berth::placement

// How many placements per second the engine schedules, without any API around it.
//
//   label_cpu     one label predicate + ResourceAllocatableCPU, the best 3
//   addon_exact   Exact with one published score, the best 3
//   cel_equality  one CEL equality, the best 3
//   score_change  one score changes: find the affected of 1,000 placements and schedule them
//
// A quarter of the clusters match the label. Every cluster has eight labels, cpu and memory, two
// score reports; 1,000 decisions of ten entries exist. Single thread; schedule() with its compact
// explanation, decisions not written.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "json/parse.h"
#include "placement/cel_expressions.h"
#include "placement/dependencies.h"
#include "placement/fleet_view.h"
#include "placement/schedule.h"

namespace berth::placement {
namespace {

constexpr Time kNow = Time(std::chrono::seconds(1000));

json::Value cluster_object(std::int64_t i) {
  json::Value object = json::Value::object();
  object["metadata"]["name"] = fmt::format("cluster-{:06}", i);
  json::Value& labels = object["metadata"]["labels"];
  labels["cluster.open-cluster-management.io/clusterset"] = "default";
  labels["env"] = i % 4 == 0 ? "prod" : "dev";
  labels["clusterID"] = fmt::format("9d4e2c57-0000-0000-0000-{:012}", i);
  labels["cloud"] = i % 2 == 0 ? "Amazon" : "Google";
  labels["vendor"] = "OpenShift";
  labels["region"] = fmt::format("region-{}", i % 10);
  labels["feature.open-cluster-management.io/addon-work-manager"] = "available";
  labels["feature.open-cluster-management.io/addon-search"] = "available";
  for (const char* part : {"allocatable", "capacity"}) {
    object["status"][part]["cpu"] = fmt::format("{}m", 4000 + (i * 7919) % 60000);
    object["status"][part]["memory"] = fmt::format("{}Mi", 16000 + (i * 104729) % 500000);
  }
  return object;
}

api::AddOnPlacementScore score(std::int64_t cluster, std::string report, int value) {
  api::AddOnPlacementScore made{.scores = {{"cpuAvailable", value}, {"memAvailable", value / 2}}};
  made.facts.name = std::move(report);
  made.facts.object_namespace = fmt::format("cluster-{:06}", cluster);
  return made;
}

FleetView make_fleet(std::int64_t clusters) {
  FleetView fleet;
  fleet.put_set(
      api::read_managed_cluster_set(json::parse(R"({"metadata":{"name":"default"}})").value()));
  api::ManagedClusterSetBinding binding;
  binding.facts.name = "default";
  binding.facts.object_namespace = "ns1";
  fleet.put_binding(binding);
  for (std::int64_t i = 0; i < clusters; ++i) {
    const json::Value object = cluster_object(i);
    fleet.put_cluster(api::read_managed_cluster(object),
                      std::make_shared<const json::Value>(managed_cluster_for_expressions(object)));
    fleet.put_score(score(i, "resource-usage-score", static_cast<int>(i * 31 % 101)));
    fleet.put_score(score(i, "latency", static_cast<int>(i * 17 % 101)));
  }
  for (std::int64_t d = 0; d < 1000; ++d) {
    api::PlacementDecision decision;
    decision.facts.name = fmt::format("other-{}-decision-1", d);
    decision.facts.object_namespace = "ns2";
    decision.facts.labels = {{std::string(api::kPlacementLabel), fmt::format("other-{}", d)}};
    for (std::int64_t k = 0; k < 10; ++k) {
      decision.decisions.push_back(
          {.cluster = fmt::format("cluster-{:06}", (d * 37 + k) % clusters)});
    }
    fleet.put_decision(decision);
  }
  return fleet;
}

CompiledPlacement make_placement(std::string_view name, std::string_view spec) {
  json::Value object = json::Value::object();
  object["metadata"] = json::Value::object({{"name", name}, {"namespace", "ns1"}});
  object["spec"] = json::parse(spec).value();
  return compile(api::read_placement(object), CelExpressions(), {});
}

constexpr std::string_view kLabelCpu = R"({"numberOfClusters":3,
  "predicates":[{"requiredClusterSelector":{"labelSelector":{"matchLabels":{"env":"prod"}}}}],
  "prioritizerPolicy":{"configurations":[{"scoreCoordinate":{"type":"BuiltIn",
    "builtIn":"ResourceAllocatableCPU"},"weight":1}]}})";
constexpr std::string_view kAddOn = R"({"numberOfClusters":3,"prioritizerPolicy":{"mode":"Exact",
  "configurations":[{"scoreCoordinate":{"type":"AddOn","addOn":{"resourceName":
    "resource-usage-score","scoreName":"cpuAvailable"}},"weight":1}]}})";
constexpr std::string_view kCel = R"({"numberOfClusters":3,"predicates":[{"requiredClusterSelector":
  {"celSelector":{"celExpressions":["managedCluster.metadata.labels[\"env\"] == \"prod\""]}}}]})";

void run(benchmark::State& state, std::string_view spec) {
  const FleetView fleet = make_fleet(state.range(0));
  const CompiledPlacement placement = make_placement("p", spec);
  const Options options;
  for (auto _ : state) {
    benchmark::DoNotOptimize(schedule(placement, fleet, kNow, options));
  }
  state.counters["placements/s"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

void label_cpu(benchmark::State& state) { run(state, kLabelCpu); }
void addon_exact(benchmark::State& state) { run(state, kAddOn); }
void cel_equality(benchmark::State& state) { run(state, kCel); }

// range(1) of the 1,000 placements read the score that changes.
void score_change(benchmark::State& state) {
  FleetView fleet = make_fleet(state.range(0));
  Dependencies dependencies;
  std::map<PlacementKey, CompiledPlacement> placements;
  const Options options;
  for (std::int64_t i = 0; i < 1000; ++i) {
    CompiledPlacement placement =
        make_placement(fmt::format("p{}", i), i < state.range(1) ? kAddOn : kLabelCpu);
    dependencies.put(placement, options);
    placements.emplace(placement.key, std::move(placement));
  }
  int value = 0;
  for (auto _ : state) {
    value = (value + 1) % 100;
    const Change change = fleet.put_score(score(7, "resource-usage-score", value));
    for (const PlacementKey& key : dependencies.affected(change, fleet.sets())) {
      benchmark::DoNotOptimize(schedule(placements.at(key), fleet, kNow, options));
    }
  }
  state.counters["affected"] = static_cast<double>(state.range(1));
}

BENCHMARK(label_cpu)->Arg(100)->Arg(1000)->Arg(10000)->Arg(100000)->Unit(benchmark::kMicrosecond);
BENCHMARK(addon_exact)->Arg(100)->Arg(1000)->Arg(10000)->Arg(100000)->Unit(benchmark::kMicrosecond);
BENCHMARK(cel_equality)->Arg(100)->Arg(1000)->Arg(10000)->Unit(benchmark::kMicrosecond);
BENCHMARK(score_change)
    ->Args({1000, 0})
    ->Args({1000, 1})
    ->Args({1000, 100})
    ->Args({1000, 1000})
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace berth::placement

int main(int argc, char** argv) {
  benchmark::AddCustomContext("flavour", "release, one thread");
  benchmark::AddCustomContext(
      "fleet",
      "8 labels, cpu, memory and 2 score reports for each cluster; a quarter "
      "matches the label; 1,000 decisions of 10 entries");
  benchmark::AddCustomContext("measured", "schedule() with its compact explanation; no writes");
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}

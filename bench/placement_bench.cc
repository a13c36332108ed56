// How many placements per second the engine schedules, without any API around it.
//
//   label_cpu     one label predicate + ResourceAllocatableCPU, the best 3
//   addon_exact   Exact with one published score, the best 3
//   cel_equality  one CEL equality, the best 3
//   score_change  one score changes: find the affected of 1,000 placements and schedule them
//
// The fleet is that of placement_fleet.h. Single thread; schedule() with its compact explanation,
// decisions not written.

#include <map>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "placement/deciding/schedule.h"
#include "placement/waking/dependencies.h"
#include "placement_fleet.h"

namespace berth::bench {
namespace {

using placement::CompiledPlacement;
using placement::Dependencies;
using placement::FleetChange;
using placement::FleetView;
using placement::Options;
using placement::schedule;

constexpr Time kNow = Time(std::chrono::seconds(1000));

void run(benchmark::State& state, std::string_view spec) {
  const FleetView fleet = make_view(make_objects(state.range(0)));
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
  FleetView fleet = make_view(make_objects(state.range(0)));
  Dependencies dependencies;
  std::map<api::ObjectKey, CompiledPlacement> placements;
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
    const FleetChange change = fleet.put_score(
        api::read_add_on_placement_score(score_object(7, "resource-usage-score", value)));
    for (const api::ObjectKey& key : dependencies.affected(change, fleet.sets())) {
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
}  // namespace berth::bench

int main(int argc, char** argv) {
  benchmark::AddCustomContext("flavour", "release, one thread");
  benchmark::AddCustomContext("fleet", std::string(berth::bench::kFleetText));
  benchmark::AddCustomContext("measured", "schedule() with its compact explanation; no writes");
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}

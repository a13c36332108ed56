// How long one CEL expression of a Placement takes for one cluster.

#include <cstdio>
#include <string_view>

#include <benchmark/benchmark.h>

#include "api/expressions/testing/cluster_case.h"

namespace {

using berth::api::testing::DemoScores;

constexpr std::string_view kExpressions[] = {
    R"(managedCluster.metadata.labels["env"] == "prod")",
    R"(managedCluster.metadata.labels.env == "prod" && managedCluster.metadata.labels.region.startsWith("eu-"))",
    R"(managedCluster.status.clusterClaims.exists(c, c.name == "platform" && c.value == "aws"))",
    R"(managedCluster.status.version.kubernetes.matches("^v1\\.(2[89]|3[0-9])\\."))",
    R"(quantity(managedCluster.status.allocatable.memory).isGreaterThan(quantity("16Gi")))",
    R"(managedCluster.scores("demo").filter(s, s.name == "cpu").all(s, s.value > 50))",
};

void evaluate(benchmark::State& state) {
  const std::string_view text = kExpressions[state.range(0)];
  const auto program = berth::cel::compile(berth::api::placement_environment(), text).value();
  const auto cluster = berth::json::parse(berth::api::testing::kCluster).value();
  const DemoScores scores;
  berth::cel::Arena arena;
  for (auto _ : state) {
    arena.reset();
    benchmark::DoNotOptimize(
        berth::api::evaluate_for_cluster(program, cluster, scores, arena).value);
  }
  state.SetLabel(std::string(text));
}
BENCHMARK(evaluate)->DenseRange(0, std::size(kExpressions) - 1);

void compile(benchmark::State& state) {
  const auto environment = berth::api::placement_environment();
  for (auto _ : state) {
    benchmark::DoNotOptimize(berth::cel::compile(environment, kExpressions[2]));
  }
}
BENCHMARK(compile);

void build_environment(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(berth::api::placement_environment());
}
BENCHMARK(build_environment);

}  // namespace

int main(int argc, char** argv) {
  std::puts("one thread; one cluster of 1.3 kB; costs tracked, limit 1000000; arena reused");
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

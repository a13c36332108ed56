// What the nouns cost: reading and adding quantities, matching label selectors, counting a pod.

#include <string_view>

#include <benchmark/benchmark.h>

#include "api/label_selector.h"
#include "api/pod_requests.h"
#include "api/quantity.h"
#include "json/parse.h"

namespace berth::api {
namespace {

void parse_quantity(benchmark::State& state, std::string_view text) {
  for (auto _ : state) benchmark::DoNotOptimize(Quantity::parse(text));
}
BENCHMARK_CAPTURE(parse_quantity, milli, "250m");
BENCHMARK_CAPTURE(parse_quantity, binary, "16Gi");
BENCHMARK_CAPTURE(parse_quantity, binary_fraction, "1.5Gi");
BENCHMARK_CAPTURE(parse_quantity, wide, "123456789012345678901234567890");

void print_quantity(benchmark::State& state, std::string_view text) {
  const Quantity quantity = Quantity::parse(text).value();
  for (auto _ : state) benchmark::DoNotOptimize(quantity.to_string());
}
BENCHMARK_CAPTURE(print_quantity, milli, "250m");
BENCHMARK_CAPTURE(print_quantity, binary, "16Gi");

void add_and_compare(benchmark::State& state) {
  const Quantity step = Quantity::parse("250m").value();
  const Quantity limit = Quantity::parse("1000000k").value();
  Quantity sum;
  for (auto _ : state) {
    sum += step;
    benchmark::DoNotOptimize(sum < limit);
  }
}
BENCHMARK(add_and_compare);

// One cluster of a fleet: ten labels, of which the selector asks for the last ones.
void match_selector(benchmark::State& state, std::string_view text) {
  const auto labels = json::parse(R"({"cloud": "aws", "region": "eu-west-1", "vendor": "OpenShift",
    "feature.open-cluster-management.io/addon-a": "available", "clusterID": "c-1", "tier": "gold",
    "openshiftVersion": "4.16.3", "cluster.open-cluster-management.io/clusterset": "prod",
    "environment": "production", "generation": "7"})")
                          .value();
  const LabelSelector selector = LabelSelector::parse(text).value();
  for (auto _ : state) benchmark::DoNotOptimize(selector.matches(Labels(labels)));
}
BENCHMARK_CAPTURE(match_selector, one_label, "environment=production");
BENCHMARK_CAPTURE(match_selector, three_requirements,
                  "environment in (production,staging),!retired,generation>5");

void count_pod(benchmark::State& state) {
  const auto pod = json::parse(R"({"spec": {
    "containers": [{"name": "a", "resources": {"requests": {"cpu": "250m", "memory": "512Mi"}}},
                   {"name": "b", "resources": {"requests": {"cpu": "1", "memory": "1Gi"}}}],
    "initContainers": [{"name": "i", "resources": {"requests": {"cpu": "2"}}}]}, "status": {}})")
                       .value();
  for (auto _ : state) benchmark::DoNotOptimize(pod_requests(pod));
}
BENCHMARK(count_pod);

}  // namespace
}  // namespace berth::api

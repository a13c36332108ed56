// What the table of kinds costs: reading it when a hub starts, writing all that is published from
// it, and reading requests in protobuf.

#include <string>

#include <benchmark/benchmark.h>

#include "apiserver/discovery/aggregated.h"
#include "apiserver/kinds/builtin_kinds.h"
#include "apiserver/kinds/kinds_files.h"
#include "apiserver/openapi/document.h"
#include "apiserver/protobuf/decoder.h"
#include "apiserver/registry.h"
#include "base/base64.h"

namespace berth::apiserver {
namespace {

void read_kinds(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(read_builtin_kinds().resources.size());
}
BENCHMARK(read_kinds)->Unit(benchmark::kMillisecond);

void read_messages(benchmark::State& state) {
  for (auto _ : state) {
    const MessageTable table(read_kinds_file("protobuf"));
    benchmark::DoNotOptimize(&table);
  }
}
BENCHMARK(read_messages)->Unit(benchmark::kMillisecond);

void write_discovery(benchmark::State& state) {
  const Registry registry(builtin_resources());
  for (auto _ : state) benchmark::DoNotOptimize(aggregated_groups(registry).etag.size());
}
BENCHMARK(write_discovery)->Unit(benchmark::kMicrosecond);

// All documents, as for the index.
void write_openapi(benchmark::State& state) {
  const Registry registry(builtin_resources());
  std::size_t bytes = 0;
  for (auto _ : state) {
    const OpenApi openapi;
    bytes = 0;
    for (const ServedGroup& group : registry.groups()) {
      bytes += openapi
                   .document(registry, {.group = group.name, .version = group.versions.front()},
                             [](const Resource&) { return nullptr; })
                   ->size();
    }
  }
  state.counters["bytes"] = static_cast<double>(bytes);
}
BENCHMARK(write_openapi)->Unit(benchmark::kMillisecond);

// `kubectl create namespace foo`.
void decode_namespace(benchmark::State& state) {
  const MessageTable table(read_kinds_file("protobuf"));
  const std::string bytes =
      decode_base64("azhzAAoPCgJ2MRIJTmFtZXNwYWNlEhsKEwoDZm9vEgAaACIAKgAyADgAQgASABoCCgAaACIA")
          .value();
  for (auto _ : state) {
    benchmark::DoNotOptimize(decode_protobuf(table, bytes, {.version = "v1", .kind = "Namespace"}));
  }
}
BENCHMARK(decode_namespace);

}  // namespace
}  // namespace berth::apiserver

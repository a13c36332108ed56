// What an assignment of a hosted cluster costs, without any API around it.
//
//   decide     one request: filters and scores over all hosts, each with ten claims
//   refuse     the same where every host is full, with the words for the user
//   spread     decide with a required spread over ten regions and an anti-affinity
//   burst      range(1) requests that come at once over range(0) hosts, each seeing the claims of
//              those before it; the time is that of all of them, and bytes are what the allocator
//              gave for all that is remembered
//
// Hosts report through an agent; a tenth of them is cordoned. Single thread.

#include <algorithm>
#include <string>
#include <utility>

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <malloc.h>

#include "base/check.h"
#include "hosting/decide.h"
#include "hosting/names.h"
#include "hosting/situation.h"
#include "json/parse.h"

namespace berth::hosting {
namespace {

const Time kNow = Time::from_unix(1'800'000'000);
constexpr std::int64_t kClaimsOnEach = 10;

HostedClusterRequest make_request(std::int64_t number, std::string_view spec = "") {
  return read_request(json::parse(fmt::format(
                                      R"({{"metadata":{{"name":"r{0}","namespace":"tenant",
          "uid":"0a1b2c3d-1111-2222-3333-{0:012}","generation":1,
          "creationTimestamp":"2027-01-15T08:00:00Z","finalizers":["{1}"]}},
          "spec":{{{2}"group":"web","payload":{{"hostedCluster":{{"metadata":{{"name":"r{0}"}},
          "spec":{{"infraID":"r{0}-x"}}}}}}}}}})",
                                      number, kFinalizer, spec))
                          .value());
}

Host make_host(std::int64_t number, std::int64_t claims) {
  Host host{.name = fmt::format("host-{:05}", number),
            .labels = {{.key = "region", .value = fmt::format("region-{}", number % 10)}},
            .is_accepted = true,
            .is_available = true,
            .is_hosting = true,
            .has_ledger = true};
  host.thresholds = {.hosted_max = 100'000, .threshold = 90'000};
  host.ledger.in_flight_max = 100'000;
  host.ledger.is_cordoned = number % 10 == 9;
  host.observation = {.source = Observation::Source::Agent,
                      .at = kNow,
                      .valid_until = kNow + std::chrono::seconds(90)};
  for (const Resource resource : kResources) {
    host.observation.capacity[resource] = kBaseline[resource] * 20'000;
    host.observation.free[resource] = kBaseline[resource] * 19'000;
  }
  for (std::int64_t i = 0; i < claims; ++i) {
    host.ledger.claims.push_back(make_claim(make_request(number * 1000 + i), kNow));
  }
  host.weigh(kNow);
  return host;
}

Fleet make_fleet(std::int64_t hosts, std::int64_t hosted_max) {
  Fleet fleet;
  for (std::int64_t i = 0; i < hosts; ++i) {
    Host host = make_host(i, kClaimsOnEach);
    host.thresholds.hosted_max = hosted_max;
    fleet.put(std::move(host));
  }
  return fleet;
}

void run(benchmark::State& state, const Fleet& fleet, const HostedClusterRequest& request) {
  for (auto _ : state) {
    const Question question(request, fleet, nullptr, kNow);
    const Decision decision = decide(question);
    if (!decision.host) benchmark::DoNotOptimize(refusal_text(question, decision));
    benchmark::DoNotOptimize(decision);
  }
  state.counters["decisions/s"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

void decide_one(benchmark::State& state) {
  run(state, make_fleet(state.range(0), 100'000), make_request(1));
}

void refuse(benchmark::State& state) {
  run(state, make_fleet(state.range(0), kClaimsOnEach), make_request(1));
}

void spread(benchmark::State& state) {
  run(state, make_fleet(state.range(0), 100'000),
      make_request(1, R"("spread":[{"topologyKeyType":"Label","topologyKey":"region"}],
                         "antiAffinity":[{"weight":10}],)"));
}

void burst(benchmark::State& state) {
  const std::int64_t hosts = state.range(0);
  const std::int64_t requests = state.range(1);
  for (auto _ : state) {
    state.PauseTiming();
    const std::size_t before = mallinfo2().uordblks;
    Situation situation;
    for (std::int64_t i = 0; i < hosts; ++i) situation.put_host(make_host(i, 0), kNow);
    for (std::int64_t i = 0; i < requests; ++i) situation.put_request(make_request(i));
    state.ResumeTiming();
    for (const std::string& uid : situation.waiting(kNow)) {
      CHECK(!situation.assign(uid, kNow).host.empty());
    }
    state.PauseTiming();
    state.counters["bytes"] = static_cast<double>(mallinfo2().uordblks - before);
    std::int64_t fullest = 0;
    for (const Host& host : situation.fleet().hosts()) {
      fullest = std::max(fullest, host.load.total());
    }
    state.counters["fullest"] = static_cast<double>(fullest);
    state.ResumeTiming();
  }
  state.counters["decisions/s"] = benchmark::Counter(
      static_cast<double>(state.iterations() * requests), benchmark::Counter::kIsRate);
}

BENCHMARK(decide_one)->Name("decide")->RangeMultiplier(10)->Range(10, 10'000);
BENCHMARK(refuse)->RangeMultiplier(10)->Range(10, 10'000);
BENCHMARK(spread)->RangeMultiplier(10)->Range(10, 10'000);
BENCHMARK(burst)
    ->Args({10, 10'000})
    ->Args({100, 10'000})
    ->Args({1'000, 1'000})
    ->Args({1'000, 10'000})
    ->Args({1'000, 30'000})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace berth::hosting

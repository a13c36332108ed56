// What the bookkeeping of owners costs on every write: an object of about 1 KB with three managers.

#include <cstdio>
#include <string>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "apiserver/apply/field_manager.h"
#include "apiserver/apply/testing/thing_schema.h"
#include "base/check.h"
#include "json/parse.h"
#include "json/print.h"

namespace {

namespace apiserver = berth::apiserver;
namespace json = berth::json;
using berth::Time;
using json::Value;

const apiserver::testing::ThingType& thing() {
  static const apiserver::testing::ThingType type;
  return type;
}

Value parsed(std::string_view text) {
  auto value = json::parse(text);
  CHECK(value.ok());
  return *std::move(value);
}

Value applied_by(const Value* live, std::string manager, std::string_view spec) {
  Value object =
      parsed(R"({"apiVersion":"ex.io/v1","kind":"Thing","metadata":{"name":"thing-1"}})");
  object["spec"] = parsed(spec);
  return apiserver::apply(live, object, *thing().schema.root,
                          {.manager = std::move(manager),
                           .api_version = "ex.io/v1",
                           .kind = "Thing",
                           .force = true,
                           .now = Time::from_unix(1'790'000'000)})
      .value();
}

// An applier, a controller that writes the status, and one that owns labels and a few fields.
Value live_object() {
  Value object = applied_by(
      nullptr, "kubectl",
      R"({"n":3,"s":"a text of some length, as descriptions are","nested":{"a":"x","b":"y"},
        "set":["alpha","beta"],"ports":[{"port":80,"name":"http"},{"port":443,"name":"https"}],
        "texts":{"first":"one","second":"two","third":"three"}})");
  object["metadata"]["uid"] = "4c0823c4-3213-4a68-8bd7-21df8e684ecc";
  object["metadata"]["resourceVersion"] = "123456";
  object["metadata"]["creationTimestamp"] = "2026-11-16T05:00:00Z";
  Value changed = object;
  changed["metadata"]["labels"] = parsed(R"({"app":"thing","tier":"backend","team":"blue"})");
  changed["spec"]["truth"] = true;
  changed["spec"]["free"] = parsed(R"({"x":{"y":1},"z":[1,2,3]})");
  object = apiserver::update(&object, changed, *thing().schema.root,
                             {.manager = "labeler", .api_version = "ex.io/v1", .now = Time()});
  changed = object;
  changed["status"] = parsed(R"({"phase":"Ready","count":3})");
  return apiserver::update(
      &object, changed, *thing().schema.root,
      {.manager = "controller", .api_version = "ex.io/v1", .subresource = "status", .now = Time()});
}

void run_update(benchmark::State& state, const Value& live, const Value& wanted) {
  for (auto _ : state) {
    Value result =
        apiserver::update(&live, wanted, *thing().schema.root,
                          {.manager = "controller", .api_version = "ex.io/v1", .now = Time()});
    benchmark::DoNotOptimize(result);
  }
}

// The copy that each turn of the next two needs: to be taken off their figures.
void CopyOnly(benchmark::State& state) {
  const Value live = live_object();
  for (auto _ : state) {
    Value copy = live;
    benchmark::DoNotOptimize(copy);
  }
}
BENCHMARK(CopyOnly);

void UpdateThatChangesTwoFields(benchmark::State& state) {
  const Value live = live_object();
  Value wanted = live;
  wanted["status"]["count"] = 4;
  wanted["spec"]["n"] = 4;
  run_update(state, live, wanted);
}
BENCHMARK(UpdateThatChangesTwoFields);

void UpdateThatChangesNothing(benchmark::State& state) {
  const Value live = live_object();
  run_update(state, live, live);
}
BENCHMARK(UpdateThatChangesNothing);

void Create(benchmark::State& state) {
  Value wanted = live_object();
  wanted["metadata"].erase("managedFields");
  for (auto _ : state) {
    Value result =
        apiserver::update(nullptr, wanted, *thing().schema.root,
                          {.manager = "creator", .api_version = "ex.io/v1", .now = Time()});
    benchmark::DoNotOptimize(result);
  }
}
BENCHMARK(Create);

void ApplyThatChangesOneField(benchmark::State& state) {
  const Value live = live_object();
  for (auto _ : state) {
    Value result = applied_by(&live, "kubectl", R"({"n":4,"set":["alpha"]})");
    benchmark::DoNotOptimize(result);
  }
}
BENCHMARK(ApplyThatChangesOneField);

const int kConditions = [] {
  Value object = live_object();
  const std::size_t whole = json::print(object).size();
  const std::size_t managers = object["metadata"]["managedFields"].size();
  object["metadata"].erase("managedFields");
  std::puts(fmt::format("an object of {} bytes without managedFields, {} with those of {} managers",
                        json::print(object).size(), whole, managers)
                .c_str());
  return 0;
}();

}  // namespace

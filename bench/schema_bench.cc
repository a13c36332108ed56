// What a write of a custom resource costs before it is stored: a Placement of about 1 KB, and a
// ManifestWork-like object with rules.

#include <string>

#include <benchmark/benchmark.h>

#include "apiserver/schema/defaulting.h"
#include "apiserver/schema/object_validation.h"
#include "apiserver/schema/prune.h"
#include "apiserver/schema/rules.h"
#include "apiserver/schema/structural.h"
#include "apiserver/schema/validate.h"
#include "json/parse.h"
#include "json/print.h"

namespace berth::apiserver {
namespace {

// The parts of a Placement's schema that the object below uses, with all their checks.
constexpr const char* kSchema = R"json({"type": "object", "required": ["spec"], "properties": {
  "spec": {"type": "object", "properties": {
    "clusterSets": {"type": "array", "items": {"type": "string"}},
    "numberOfClusters": {"type": "integer", "format": "int32"},
    "sortBy": {"type": "string", "enum": ["ClusterName", "Score"], "default": "ClusterName"},
    "scoreRateLimit": {"type": "string", "pattern": "^[0-9]+[hms]$", "default": "1m"},
    "predicates": {"type": "array", "items": {"type": "object", "properties": {
      "requiredClusterSelector": {"type": "object", "properties": {
        "labelSelector": {"type": "object", "x-kubernetes-map-type": "atomic", "properties": {
          "matchLabels": {"type": "object", "additionalProperties": {"type": "string"}},
          "matchExpressions": {"type": "array", "x-kubernetes-list-type": "atomic", "items": {
            "type": "object", "required": ["key", "operator"], "properties": {
              "key": {"type": "string"}, "operator": {"type": "string"},
              "values": {"type": "array", "x-kubernetes-list-type": "atomic",
                         "items": {"type": "string"}}}}}}}}}}}},
    "prioritizerPolicy": {"type": "object", "properties": {
      "mode": {"type": "string", "default": "Additive", "enum": ["Exact", "Additive", ""]},
      "configurations": {"type": "array", "items": {"type": "object",
        "required": ["scoreCoordinate"], "properties": {
          "weight": {"type": "integer", "format": "int32", "minimum": -10, "maximum": 10,
                     "default": 1},
          "scoreCoordinate": {"type": "object", "required": ["type"], "properties": {
            "type": {"type": "string", "default": "BuiltIn", "enum": ["BuiltIn", "AddOn"]},
            "builtIn": {"type": "string"},
            "addOn": {"type": "object", "required": ["resourceName", "scoreName"], "properties": {
              "resourceName": {"type": "string"}, "scoreName": {"type": "string"}}}}}}}}}},
    "tolerations": {"type": "array", "items": {"type": "object", "properties": {
      "key": {"type": "string", "maxLength": 316,
        "pattern": "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?)json"
                                R"json((([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$"},
      "operator": {"type": "string", "default": "Equal", "enum": ["Equal", "Exists"]},
      "effect": {"type": "string", "enum": ["NoSelect", "PreferNoSelect", "NoSelectIfNew"]},
      "tolerationSeconds": {"type": "integer", "format": "int64"},
      "value": {"type": "string", "maxLength": 1024}}}}}},
  "status": {"type": "object", "properties": {
    "numberOfSelectedClusters": {"type": "integer", "format": "int32"}}}}})json";

constexpr const char* kObject = R"json({"apiVersion": "cluster.open-cluster-management.io/v1beta1",
  "kind": "Placement", "metadata": {"name": "web", "namespace": "shop",
    "labels": {"app": "web", "team": "shop"}},
  "spec": {"clusterSets": ["prod", "stage"], "numberOfClusters": 3,
    "predicates": [{"requiredClusterSelector": {"labelSelector": {
      "matchLabels": {"environment": "production", "cloud": "aws"},
      "matchExpressions": [{"key": "region", "operator": "In", "values": ["eu-west-1", "eu-north-1"]},
                           {"key": "retired", "operator": "DoesNotExist"}]}}}],
    "prioritizerPolicy": {"mode": "Exact", "configurations": [
      {"scoreCoordinate": {"type": "BuiltIn", "builtIn": "Steady"}, "weight": 3},
      {"scoreCoordinate": {"type": "AddOn", "addOn": {"resourceName": "resource-usage-score",
        "scoreName": "cpuAvailable"}}, "weight": 2}]},
    "tolerations": [{"key": "cluster.open-cluster-management.io/unreachable", "operator": "Exists",
                     "effect": "NoSelect", "tolerationSeconds": 300},
                    {"key": "gpu", "value": "yes"}]}})json";

struct Setup {
  Setup()
      : schema(*build_structural(nodes, json::parse(kSchema).value()).root),
        object(with_defaults(schema, json::parse(kObject).value())) {}

  SchemaSet nodes;
  const Schema& schema;
  json::Value object;
};

void set_label(benchmark::State& state, const Setup& setup) {
  state.SetLabel(std::to_string(json::print(setup.object).size()) + " bytes of JSON");
}

void validate_placement(benchmark::State& state) {
  const Setup setup;
  for (auto _ : state) benchmark::DoNotOptimize(validate_object(setup.schema, setup.object));
  set_label(state, setup);
}
BENCHMARK(validate_placement);

void validate_placement_update(benchmark::State& state) {
  const Setup setup;
  const json::Value old = setup.object;
  for (auto _ : state) {
    benchmark::DoNotOptimize(validate_object(setup.schema, setup.object, {.old = &old}));
  }
  set_label(state, setup);
}
BENCHMARK(validate_placement_update);

void prune_and_default_placement(benchmark::State& state) {
  const Setup setup;
  for (auto _ : state) {
    benchmark::DoNotOptimize(with_defaults(setup.schema, prune(setup.schema, setup.object).value));
  }
  set_label(state, setup);
}
BENCHMARK(prune_and_default_placement);

void refuse_placement(benchmark::State& state) {
  Setup setup;
  setup.object["spec"]["numberOfClusters"] = "three";
  for (auto _ : state) benchmark::DoNotOptimize(validate_object(setup.schema, setup.object));
}
BENCHMARK(refuse_placement);

void build_schema(benchmark::State& state) {
  const json::Value openapi = json::parse(kSchema).value();
  for (auto _ : state) {
    SchemaSet nodes;
    benchmark::DoNotOptimize(build_structural(nodes, openapi));
  }
}
BENCHMARK(build_schema);

void evaluate_rule(benchmark::State& state) {
  SchemaSet nodes;
  const Schema& schema =
      *build_structural(nodes, json::parse(R"json({"type": "object", "properties": {"rules": {
          "type": "array", "items": {"type": "object", "properties": {"type": {"type": "string"},
            "condition": {"type": "string"}}, "x-kubernetes-validations": [
              {"rule": "self.type != 'CEL' || self.condition != \"\""}]}}}})json")
                                   .value())
           .root;
  const json::Value object =
      json::parse(R"({"rules": [{"type": "CEL", "condition": "Complete"}]})").value();
  for (auto _ : state) benchmark::DoNotOptimize(validate_rules(schema, object));
}
BENCHMARK(evaluate_rule);

}  // namespace
}  // namespace berth::apiserver

// The fleet that placement benchmarks measure on, as API objects: every cluster has eight labels,
// cpu and memory, and two score reports; a quarter matches the label predicate; 1,000 decisions of
// ten entries exist.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "json/parse.h"
#include "json/value.h"
#include "placement/compiling/cel_expressions.h"
#include "placement/compiling/compiled_placement.h"
#include "placement/fleet/fleet_view.h"

namespace berth::bench {

inline constexpr std::string_view kFleetText =
    "8 labels, cpu, memory and 2 score reports for each cluster; a quarter matches the label; "
    "1,000 decisions of 10 entries";

// One label predicate + ResourceAllocatableCPU, the best 3.
inline constexpr std::string_view kLabelCpu = R"({"numberOfClusters":3,
  "predicates":[{"requiredClusterSelector":{"labelSelector":{"matchLabels":{"env":"prod"}}}}],
  "prioritizerPolicy":{"configurations":[{"scoreCoordinate":{"type":"BuiltIn",
    "builtIn":"ResourceAllocatableCPU"},"weight":1}]}})";
// Exact with one published score, the best 3.
inline constexpr std::string_view kAddOn = R"({"numberOfClusters":3,
  "prioritizerPolicy":{"mode":"Exact","configurations":[{"scoreCoordinate":{"type":"AddOn",
    "addOn":{"resourceName":"resource-usage-score","scoreName":"cpuAvailable"}},"weight":1}]}})";
// One CEL equality, the best 3.
inline constexpr std::string_view kCel = R"({"numberOfClusters":3,"predicates":[{
  "requiredClusterSelector":{"celSelector":{"celExpressions":[
    "managedCluster.metadata.labels[\"env\"] == \"prod\""]}}}]})";

inline std::string cluster_name(std::int64_t i) { return fmt::format("cluster-{:06}", i); }

inline json::Value cluster_object(std::int64_t i) {
  json::Value object = json::Value::object();
  object["metadata"]["name"] = cluster_name(i);
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

inline json::Value score_object(std::int64_t cluster, std::string_view report, int value) {
  json::Value object = json::Value::object();
  object["metadata"] =
      json::Value::object({{"name", report}, {"namespace", cluster_name(cluster)}});
  object["status"]["scores"] =
      json::Value::array({json::Value::object({{"name", "cpuAvailable"}, {"value", value}}),
                          json::Value::object({{"name", "memAvailable"}, {"value", value / 2}})});
  return object;
}

// Of some other placement, in another namespace.
inline json::Value decision_object(std::int64_t number, std::int64_t clusters) {
  json::Value object = json::Value::object();
  const std::string owner = fmt::format("other-{}", number);
  object["metadata"] = json::Value::object({{"name", owner + "-decision-1"}, {"namespace", "ns2"}});
  object["metadata"]["labels"][api::kPlacementLabel] = owner;
  json::Value& decisions = object["status"]["decisions"] = json::Value::array();
  for (std::int64_t k = 0; k < 10; ++k) {
    decisions.push_back(json::Value::object(
        {{"clusterName", cluster_name((number * 37 + k) % clusters)}, {"reason", ""}}));
  }
  return object;
}

inline json::Value placement_object(std::string_view name, std::string_view spec) {
  json::Value object = json::Value::object();
  object["metadata"] = json::Value::object({{"name", name}, {"namespace", "ns1"}});
  object["spec"] = json::parse(spec).value();
  return object;
}

struct FleetObjects {
  std::vector<json::Value> clusters = {};
  std::vector<json::Value> scores = {};
  std::vector<json::Value> decisions = {};
};

inline FleetObjects make_objects(std::int64_t clusters) {
  FleetObjects objects;
  for (std::int64_t i = 0; i < clusters; ++i) {
    objects.clusters.push_back(cluster_object(i));
    const auto points = [i](std::int64_t factor) { return static_cast<int>(i * factor % 101); };
    objects.scores.push_back(score_object(i, "resource-usage-score", points(31)));
    objects.scores.push_back(score_object(i, "latency", points(17)));
  }
  for (std::int64_t d = 0; d < 1000; ++d) objects.decisions.push_back(decision_object(d, clusters));
  return objects;
}

inline placement::FleetView make_view(const FleetObjects& objects) {
  placement::FleetView fleet;
  fleet.put_set(
      api::read_managed_cluster_set(json::parse(R"({"metadata":{"name":"default"}})").value()));
  api::ManagedClusterSetBinding binding;
  binding.facts.name = "default";
  binding.facts.object_namespace = "ns1";
  fleet.put_binding(binding);
  for (const json::Value& object : objects.clusters) {
    fleet.put_cluster(
        api::read_managed_cluster(object),
        std::make_shared<const json::Value>(placement::managed_cluster_for_expressions(object)));
  }
  for (const json::Value& object : objects.scores) {
    fleet.put_score(api::read_add_on_placement_score(object));
  }
  for (const json::Value& object : objects.decisions) {
    fleet.put_decision(api::read_placement_decision(object));
  }
  return fleet;
}

inline placement::CompiledPlacement make_placement(std::string_view name, std::string_view spec,
                                                   const placement::Options& options = {}) {
  return placement::compile(api::read_placement(placement_object(name, spec)),
                            placement::CelExpressions(), options);
}

}  // namespace berth::bench

#include "placement/explaining/debug_document.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace berth::placement {
namespace {

std::vector<Ranked> best_first(const Schedule& schedule, const FleetView& fleet) {
  std::vector<Ranked> order = schedule.feasible;
  std::ranges::sort(
      order, [&fleet](const Ranked& a, const Ranked& b) { return comes_before(fleet, a, b); });
  return order;
}

std::vector<ClusterIndex> by_name(std::vector<ClusterIndex> clusters, const FleetView& fleet) {
  std::ranges::sort(clusters, {},
                    [&fleet](ClusterIndex cluster) { return fleet.clusters().position(cluster); });
  return clusters;
}

// The last filter's list has the final order, if scheduling got that far.
json::Value filter_results(const Schedule& schedule, const FleetView& fleet) {
  json::Value results = json::Value::array();
  std::string names;
  for (std::size_t i = 0; i < schedule.filters.size(); ++i) {
    names += (i == 0 ? "" : ",") + schedule.filters[i].name;
    json::Value clusters = json::Value::array();
    if (i + 1 == schedule.filters.size() && !schedule.feasible.empty()) {
      for (const Ranked& ranked : best_first(schedule, fleet)) {
        clusters.push_back(fleet.name(ranked.cluster));
      }
    } else {
      for (const ClusterIndex cluster : by_name(schedule.filters[i].passed, fleet)) {
        clusters.push_back(fleet.name(cluster));
      }
    }
    json::Value result = json::Value::object({{"name", names}});
    if (clusters.size() > 0) result["filteredClusters"] = std::move(clusters);
    results.push_back(std::move(result));
  }
  return results;
}

json::Value prioritizer_results(const Schedule& schedule, const FleetView& fleet) {
  json::Value results = json::Value::array();
  std::vector<std::size_t> order(schedule.feasible.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::size_t i) {
    return fleet.clusters().position(schedule.feasible[i].cluster);
  });
  for (const PrioritizerRecord& record : schedule.prioritizers) {
    json::Value scores = json::Value::object();
    for (const std::size_t i : order) {
      if (record.scores[i].note == Note::NoData) continue;
      scores[fleet.name(schedule.feasible[i].cluster)] = record.scores[i].points;
    }
    results.push_back(json::Value::object(
        {{"name", record.name}, {"weight", record.weight}, {"scores", std::move(scores)}}));
  }
  return results;
}

json::Value placement_part(const json::Value& object) {
  json::Value part = json::Value::object();
  json::Value metadata = json::Value::object();
  if (const json::Value* from = object.find("metadata")) {
    for (const char* name : {"name", "namespace", "labels", "annotations"}) {
      if (const json::Value* member = from->find(name)) metadata[name] = *member;
    }
  }
  part["metadata"] = std::move(metadata);
  if (const json::Value* spec = object.find("spec")) part["spec"] = *spec;
  part["status"] = json::Value::object();
  return part;
}

}  // namespace

json::Value debug_document(const json::Value& object, const Schedule& schedule,
                           const FleetView& fleet) {
  json::Value document = json::Value::object({{"placement", placement_part(object)}});
  if (!schedule.filters.empty()) {
    document["filteredPipelineResults"] = filter_results(schedule, fleet);
  }
  if (!schedule.prioritizers.empty()) {
    document["prioritizeResults"] = prioritizer_results(schedule, fleet);
  }
  if (!schedule.feasible.empty()) {
    json::Value scores = json::Value::array();
    for (const Ranked& ranked : best_first(schedule, fleet)) {
      scores.push_back(json::Value::object(
          {{"clusterName", fleet.name(ranked.cluster)}, {"score", ranked.total}}));
    }
    document["aggregatedScores"] = std::move(scores);
  }
  return document;
}

}  // namespace berth::placement

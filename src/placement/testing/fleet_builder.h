// Builds fleets and placements for tests, in few words.

#pragma once

#include <chrono>
#include <concepts>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/kinds/add_on_placement_score.h"
#include "api/kinds/managed_cluster.h"
#include "api/kinds/managed_cluster_set.h"
#include "api/kinds/placement.h"
#include "api/kinds/placement_decision.h"
#include "base/rfc3339.h"
#include "json/parse.h"
#include "placement/compiling/cel_expressions.h"
#include "placement/compiling/compiled_placement.h"
#include "placement/deciding/schedule.h"
#include "placement/explaining/explain.h"
#include "placement/fleet/fleet_view.h"
#include "placement/options.h"
#include "placement/writing/plan.h"

namespace berth::placement::testing {

inline json::Value parsed(std::string_view text) {
  auto value = json::parse(text);
  EXPECT_TRUE(value.ok()) << text;
  return value.ok() ? *std::move(value) : json::Value();
}

// The namespace is ns1, the set s is bound there, the time is 1000 s unless said otherwise.
class FleetBuilder {
 public:
  FleetBuilder() { set("s").bind("s"); }

  // Without the set and its binding.
  static FleetBuilder unbound() {
    FleetBuilder fleet;
    fleet.view_ = FleetView();
    return fleet;
  }

  FleetBuilder& at(std::chrono::seconds now) { return now_ = Time(now), *this; }

  // In set s, with what `extra` says of labels, taints and status:
  // {"labels": {}, "taints": [], "claims": {}, "cpu": "4", "memory": "1Gi", "deleting": true}
  FleetBuilder& cluster(std::string_view name, std::string_view extra = "{}") {
    const json::Value facts = parsed(extra);
    json::Value object = json::Value::object();
    object["metadata"]["name"] = name;
    object["metadata"]["labels"][api::kClusterSetLabel] = "s";
    for (const auto& label : api::field(facts, "labels").members()) {
      object["metadata"]["labels"][label.name()] = label.value;
    }
    if (facts.find("deleting")) {
      object["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z";
    }
    if (const json::Value* taints = facts.find("taints")) object["spec"]["taints"] = *taints;
    for (const auto& claim : api::field(facts, "claims").members()) {
      object["status"]["clusterClaims"].push_back(
          json::Value::object({{"name", claim.name()}, {"value", claim.value}}));
    }
    for (const char* resource : {"cpu", "memory"}) {
      if (const json::Value* amount = facts.find(resource)) {
        object["status"]["allocatable"][resource] = *amount;
        if (!facts.find("noCapacity")) object["status"]["capacity"][resource] = *amount;
      }
    }
    return put_cluster(object);
  }

  FleetBuilder& put_cluster(const json::Value& object) {
    view_.put_cluster(api::read_managed_cluster(object),
                      std::make_shared<const json::Value>(managed_cluster_for_expressions(object)));
    return *this;
  }

  FleetBuilder& clusters(int count, std::string_view extra = "{}") {
    for (int i = 0; i < count; ++i) cluster(fmt::format("c{:04}", i), extra);
    return *this;
  }

  FleetBuilder& set(std::string_view name, std::string_view selector = "{}") {
    view_.put_set(api::read_managed_cluster_set(parsed(fmt::format(
        R"({{"metadata":{{"name":"{}"}},"spec":{{"clusterSelector":{}}}}})", name, selector))));
    return *this;
  }

  FleetBuilder& bind(std::string_view name, std::string_view object_namespace = "ns1") {
    api::ManagedClusterSetBinding binding;
    binding.facts.name = name;
    binding.facts.object_namespace = object_namespace;
    view_.put_binding(binding);
    return *this;
  }

  FleetBuilder& score(std::string_view cluster, std::string_view report,
                      std::vector<api::AddOnPlacementScore::Item> items,
                      std::optional<Time> valid_until = std::nullopt) {
    api::AddOnPlacementScore score{.scores = std::move(items), .valid_until = valid_until};
    score.facts.name = report;
    score.facts.object_namespace = cluster;
    view_.put_score(score);
    return *this;
  }

  // An existing decision object of ns1/p (or another placement) with these clusters.
  FleetBuilder& decision(std::vector<std::string> clusters, std::string_view placement = "p",
                         int number = 1, std::string_view object_namespace = "ns1") {
    api::PlacementDecision decision;
    decision.facts.name = fmt::format("{}-decision-{}", placement, number);
    decision.facts.object_namespace = object_namespace;
    decision.facts.uid = fmt::format("uid-{}", number);
    decision.facts.resource_version = fmt::format("{}", 100 + number);
    decision.facts.labels = {{std::string(api::kDecisionGroupIndexLabel), "0"},
                             {std::string(api::kDecisionGroupNameLabel), ""},
                             {std::string(api::kPlacementLabel), std::string(placement)}};
    for (std::string& cluster : clusters)
      decision.decisions.push_back({.cluster = std::move(cluster)});
    view_.put_decision(decision);
    return *this;
  }

  // The wished-for objects become the existing ones; returns the Placement with its new status.
  json::Value apply(const json::Value& placement, const Plan& plan);

  FleetView& view() { return view_; }
  const FleetView& view() const { return view_; }
  Time now() const { return now_; }

 private:
  FleetView view_;
  Time now_ = Time(std::chrono::seconds(1000));
};

// ns1/p with the spec.
inline json::Value placement_object(std::string_view spec = "{}") {
  json::Value object = json::Value::object();
  object["metadata"] = json::Value::object({{"name", "p"},
                                            {"namespace", "ns1"},
                                            {"uid", "uid-p"},
                                            {"resourceVersion", "7"},
                                            {"generation", 3}});
  object["spec"] = parsed(spec);
  return object;
}

// Constrained, because texts convert to Value.
template <std::same_as<json::Value> Object>
CompiledPlacement compiled(const Object& object, const Options& options = {}) {
  return compile(api::read_placement(object), CelExpressions(), options);
}

inline CompiledPlacement compiled(std::string_view spec, const Options& options = {}) {
  return compiled(placement_object(spec), options);
}

inline Schedule schedule(const FleetBuilder& fleet, std::string_view spec = "{}",
                         const Options& options = {}) {
  return placement::schedule(compiled(spec, options), fleet.view(), fleet.now(), options);
}

template <std::same_as<json::Value> Object>
Plan plan(const FleetBuilder& fleet, const Object& object, const Options& options = {}) {
  return plan_placement(compiled(object, options), fleet.view(), fleet.now(), options).value();
}

inline Plan plan(const FleetBuilder& fleet, std::string_view spec = "{}",
                 const Options& options = {}) {
  return plan(fleet, placement_object(spec), options);
}

// "b:300 a:200": the chosen clusters with their totals, best first.
inline std::string chosen(const FleetBuilder& fleet, const Schedule& schedule) {
  std::string text;
  for (const Ranked& ranked : schedule.chosen) {
    text += fmt::format("{}{}:{}", text.empty() ? "" : " ", fleet.view().name(ranked.cluster),
                        ranked.total);
  }
  return text;
}

inline std::string chosen(const FleetBuilder& fleet, std::string_view spec = "{}",
                          const Options& options = {}) {
  return chosen(fleet, testing::schedule(fleet, spec, options));
}

// "create p-decision-1, status p-decision-1, placement": the writes of a plan in their order.
inline std::string writes(const Plan& plan) {
  constexpr std::string_view kNames[] = {"create", "status", "labels", "delete", "placement"};
  std::string text;
  for (const PlannedWrite& write : plan.writes) {
    text += text.empty() ? "" : ", ";
    text += kNames[static_cast<std::size_t>(write.kind)];
    if (write.kind != PlannedWrite::Kind::PatchPlacementStatus) text += " " + write.name;
  }
  return text;
}

// The status patch of the Placement; null when there is none.
inline json::Value status_patch(const Plan& plan) {
  for (const PlannedWrite& write : plan.writes) {
    if (write.kind == PlannedWrite::Kind::PatchPlacementStatus) return *write.body.find("status");
  }
  return {};
}

// "True Misconfigured :text" of the condition that the plan writes; "" when it does not.
inline std::string condition(const Plan& plan, std::string_view type) {
  const json::Value status = status_patch(plan);
  for (const json::Value& entry : api::elements_field(status, "conditions")) {
    if (api::text_field(entry, "type") == type) {
      return fmt::format("{} {} {}", api::text_field(entry, "status"),
                         api::text_field(entry, "reason"), api::text_field(entry, "message"));
    }
  }
  return "";
}

inline std::string satisfied(const Plan& plan) { return condition(plan, "PlacementSatisfied"); }
inline std::string misconfigured(const Plan& plan) {
  return condition(plan, "PlacementMisconfigured");
}

// "a,b": the clusters that the plan writes into the object.
inline std::string decided(const Plan& plan, std::string_view object) {
  for (const PlannedWrite& write : plan.writes) {
    if (write.kind != PlannedWrite::Kind::PatchDecisionStatus || write.name != object) continue;
    std::string names;
    for (const json::Value& entry : write.body.find_path({"status", "decisions"})->elements()) {
      names += (names.empty() ? "" : ",") + api::text_field(entry, "clusterName");
    }
    return names;
  }
  return "(not written)";
}

inline json::Value FleetBuilder::apply(const json::Value& placement, const Plan& plan) {
  json::Value updated = placement;
  for (const PlannedWrite& write : plan.writes) {
    const api::ObjectKey key{"ns1", write.name};
    api::PlacementDecision decision;
    if (const auto* existing = view_.decisions().find(key)) decision = *existing;
    switch (write.kind) {
      case PlannedWrite::Kind::CreateDecision:
        decision = api::read_placement_decision(write.body);
        decision.facts.uid = "uid-" + write.name;
        decision.facts.resource_version = "1";
        view_.put_decision(decision);
        break;
      case PlannedWrite::Kind::PatchDecisionStatus: {
        json::Value object = json::Value::object();
        object["status"] = *write.body.find("status");
        decision.decisions = api::read_placement_decision(object).decisions;
        view_.put_decision(decision);
        break;
      }
      case PlannedWrite::Kind::PatchDecisionLabels: {
        decision.facts.labels = api::labels_field(*write.body.find("metadata"), "labels");
        view_.put_decision(decision);
        break;
      }
      case PlannedWrite::Kind::DeleteDecision:
        view_.remove_decision("ns1", write.name);
        break;
      case PlannedWrite::Kind::PatchPlacementStatus:
        for (const auto& member : write.body.find("status")->members()) {
          updated["status"][member.name()] = member.value;
        }
        break;
    }
  }
  return updated;
}

}  // namespace berth::placement::testing

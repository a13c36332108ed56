// PlacementDecision: up to a hundred of the clusters that a Placement chose.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/kinds/fields.h"
#include "json/value.h"

namespace berth::api {

inline constexpr std::string_view kPlacementLabel = "cluster.open-cluster-management.io/placement";
inline constexpr std::string_view kDecisionGroupNameLabel =
    "cluster.open-cluster-management.io/decision-group-name";
inline constexpr std::string_view kDecisionGroupIndexLabel =
    "cluster.open-cluster-management.io/decision-group-index";

inline constexpr std::size_t kDecisionsPerObject = 100;

struct ClusterDecision {
  std::string cluster = {};
  std::string reason = {};
  std::optional<std::int64_t> score = std::nullopt;  // Absent and 0 are the same on the wire.

  bool operator==(const ClusterDecision&) const = default;
};

struct PlacementDecision {
  ObjectFacts facts = {};
  std::vector<ClusterDecision> decisions = {};

  std::string_view placement() const { return facts.label(kPlacementLabel); }

  bool operator==(const PlacementDecision&) const = default;
};

PlacementDecision read_placement_decision(const json::Value& object);

}  // namespace berth::api

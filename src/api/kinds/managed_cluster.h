// ManagedCluster: what placement reads of a registered cluster.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/kinds/fields.h"
#include "api/labels.h"
#include "api/taint.h"
#include "json/value.h"

namespace berth::api {

// The label that puts a cluster into one set of type ExclusiveClusterSetLabel.
inline constexpr std::string_view kClusterSetLabel =
    "cluster.open-cluster-management.io/clusterset";

struct ManagedCluster {
  ObjectFacts facts = {};
  std::vector<Label> claims = {};  // Sorted by name; of two with one name the later counts.
  std::vector<Taint> taints = {};

  // status.allocatable, but only where status.capacity has the resource too; nothing else of the
  // capacity is used. As Kubernetes' own approximate double.
  std::optional<double> allocatable_cpu = std::nullopt;
  std::optional<double> allocatable_memory = std::nullopt;

  bool operator==(const ManagedCluster&) const = default;
};

ManagedCluster read_managed_cluster(const json::Value& object);

}  // namespace berth::api

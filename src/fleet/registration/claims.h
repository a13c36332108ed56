// The claims that a cluster makes about itself, as they are told to the hub.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "json/value.h"

namespace berth::fleet {

struct ClaimOptions {
  std::size_t custom_max = 20;
  std::vector<std::string> reserved_suffixes = {};  // Names that end so are always told.
};

// status.clusterClaims of the ClusterClaims that are not for the cluster alone (label
// open-cluster-management.io/spoke-only): those with reserved names, then the first others, both by
// name.
json::Value exposed_claims(std::span<const json::Value* const> claims, const ClaimOptions& options);

}  // namespace berth::fleet

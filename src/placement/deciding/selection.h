// The last step of scheduling: the order of the feasible clusters and which of them are taken.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "placement/fleet/cluster_bits.h"
#include "placement/request.h"

namespace berth::placement {

struct Ranked {
  ClusterIndex cluster = 0;
  std::int64_t total = 0;   // Sum of score x weight.
  bool is_avoided = false;  // Comes after all that are not.

  bool operator==(const Ranked&) const = default;
};

// A rival leads, but not by enough to take the incumbent's place.
struct HeldMove {
  ClusterIndex incumbent = 0;
  ClusterIndex rival = 0;
  std::int64_t lead = 0;  // At most the placement's minimum gain.

  bool operator==(const HeldMove&) const = default;
};

struct Selection {
  std::vector<Ranked> chosen = {};  // Best first; with a spread policy in the order taken.
  std::vector<HeldMove> held = {};
};

// How many clusters the placement wants of so many; never negative.
std::size_t wanted_clusters(const api::Placement& placement, std::size_t feasible);

// By total descending, then by name; avoided clusters last.
bool comes_before(const FleetView& fleet, const Ranked& a, const Ranked& b);

Selection select(const Request& request, std::span<const Ranked> feasible);

}  // namespace berth::placement

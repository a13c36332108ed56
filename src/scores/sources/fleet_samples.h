// Whose numbers they are: the series of one answer as measurements of clusters.

#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "api/kinds/managed_cluster.h"
#include "base/time.h"
#include "scores/sources/prometheus_answer.h"

namespace berth::scores {

// What the cluster label of a series holds, and the name of the cluster that it stands for.
struct ClusterNames {
  std::map<std::string, std::string> by_label = {};
  std::set<std::string> ambiguous = {};  // Clusters that share what should tell them apart.

  bool operator==(const ClusterNames&) const = default;
};

ClusterNames names_by_name(const std::set<std::string>& clusters);

// A cluster without the claim is in nobody's series.
ClusterNames names_by_claim(std::span<const api::ManagedCluster> clusters,
                            const std::string& claim);

struct Measurement {
  double number = 0;
  Time sampled = {};  // When the oldest sample behind it was taken; never in the future.

  bool operator==(const Measurement&) const = default;
};

struct FleetSamples {
  std::map<std::string, Measurement> clusters = {};  // By name.
  std::size_t series = 0;                            // Numbers in the answer.
  std::size_t unknown = 0;                           // Of those, of none of our clusters,
  std::size_t rejected = 0;                          // NaN or infinite,
  std::size_t undated = 0;                           // and without a sample time.
  std::set<std::string> duplicates = {};  // Clusters with more than one, or a shared one.
};

FleetSamples match_series(std::span<const Series> series, const ClusterNames& names, Time now);

}  // namespace berth::scores

// What of the fleet a placement looks at, said by each of its plugins: a change of that wakes it.

#pragma once

#include <functional>
#include <set>
#include <string>

#include "api/kinds/placement.h"
#include "api/label_selector.h"
#include "placement/fleet/cluster_table.h"

namespace berth::placement {

// Membership in sets, availability and taints concern every placement that can see the cluster, its
// own decisions concern it anyway, and decisions of others wake nobody, as in the reference: else
// one move would cause the next. All else is here.
struct Reads {
  using Names = std::set<std::string, std::less<>>;

  Names labels = {};
  Names claims = {};
  std::set<Resource> allocatable = {};
  bool whole_objects = false;  // Cluster::object, which is kept only where it is read.
  bool any_score = false;      // Scores under names that are not known before.
  Names reports = {};          // All scores of these AddOnPlacementScores.
  std::set<api::AddOnScore> scores = {};

  // What the selector asks for.
  void add_labels(const api::LabelSelector& selector);
  void add_claims(const api::LabelSelector& selector);

  void add(const Reads& other);
};

}  // namespace berth::placement

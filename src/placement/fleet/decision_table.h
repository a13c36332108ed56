// DecisionTable: all PlacementDecisions of the hub, by the Placement they belong to.

#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "api/kinds/placement_decision.h"
#include "api/object_key.h"
#include "placement/fleet/cluster_table.h"
#include "placement/fleet/usage.h"

namespace berth::placement {

// What a Placement has decided so far, over all its objects.
struct PastDecisions {
  std::vector<ClusterIndex> named = {};  // Once for each time a cluster is named.
  ClusterBits clusters = {};             // The same as a set.
};

class DecisionTable {
 public:
  // Both return the placements that the object belonged or belongs to; none if nothing changed.
  std::vector<api::ObjectKey> put(api::PlacementDecision decision, ClusterTable& clusters);
  std::vector<api::ObjectKey> remove(const api::ObjectKey& decision, ClusterTable& clusters);

  // By the decision's own namespace and name; null when there is none.
  const api::PlacementDecision* find(const api::ObjectKey& decision) const;

  // Objects with the placement's label in its namespace, by name; foreign ones included.
  std::vector<const api::PlacementDecision*> objects_of(const api::ObjectKey& placement) const;
  PastDecisions past_decisions(const api::ObjectKey& placement) const;

  const Usage& usage() const { return usage_; }

 private:
  struct Entry {
    api::PlacementDecision object;
    std::vector<ClusterIndex> clusters = {};
  };
  using EntryPtr = std::shared_ptr<const Entry>;  // So that a copy of the table stands for itself.

  std::map<api::ObjectKey, EntryPtr> entries_;  // By the decision's own namespace and name.
  std::map<api::ObjectKey, std::map<std::string, EntryPtr>> by_placement_;
  Usage usage_;
};

}  // namespace berth::placement

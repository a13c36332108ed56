// FleetView: everything outside a Placement that its schedule depends on, kept up to date one
// object at a time. Reading is const and cheap; every write says what it changed.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/kinds/add_on_placement_score.h"
#include "api/kinds/managed_cluster.h"
#include "api/kinds/managed_cluster_set.h"
#include "api/kinds/placement_decision.h"
#include "json/value.h"
#include "placement/fleet/cluster_table.h"
#include "placement/fleet/decision_table.h"
#include "placement/fleet/fleet_change.h"
#include "placement/fleet/set_table.h"
#include "placement/fleet/symbols.h"

namespace berth::placement {

class FleetView {
 public:
  // The object itself is kept for expressions; none may be given where there are none.
  ClusterChange put_cluster(const api::ManagedCluster& cluster,
                            std::shared_ptr<const json::Value> object = nullptr);
  ClusterChange remove_cluster(std::string_view name);
  void drop_cluster_objects() { clusters_.drop_objects(); }

  ScoreChange put_score(const api::AddOnPlacementScore& score);
  ScoreChange remove_score(std::string_view cluster, std::string_view resource);

  SetChange put_set(const api::ManagedClusterSet& set);
  SetChange remove_set(std::string_view name);

  BindingChange put_binding(const api::ManagedClusterSetBinding& binding);
  BindingChange remove_binding(std::string_view object_namespace, std::string_view name);

  DecisionChange put_decision(api::PlacementDecision decision);
  DecisionChange remove_decision(std::string_view object_namespace, std::string_view name);

  const ClusterTable& clusters() const { return clusters_; }
  const SetTable& sets() const { return sets_; }
  const DecisionTable& decisions() const { return decisions_; }
  const Symbols& symbols() const { return symbols_; }

  const std::string& name(ClusterIndex cluster) const { return clusters_[cluster].name; }

  // Text of the label or claim; nullopt where the cluster has none.
  std::optional<std::string_view> label(ClusterIndex cluster, std::string_view key) const;
  std::optional<std::string_view> claim(ClusterIndex cluster, std::string_view name) const;

 private:
  // What changes when the cluster becomes `next`; null when it goes. Before anything is changed.
  ClusterChange difference(const Cluster& cluster, ClusterIndex index,
                           const api::ManagedCluster* next) const;
  std::optional<std::string_view> text_of(const LabelIds& ids, std::string_view key) const;

  Symbols symbols_;
  ClusterTable clusters_;
  SetTable sets_;
  DecisionTable decisions_;
};

}  // namespace berth::placement

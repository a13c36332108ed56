// On which clusters an add-on is to be installed, and where it is to go. What is installed goes
// only on a placement's last word: one that is missing for a moment uninstalls nothing.

#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "fleet/addons/add_on.h"
#include "fleet/addons/placement_view.h"
#include "json/value.h"

namespace berth::fleet {

// Since when a placement of the add-on has not been settled.
using UnsettledSince = std::map<ObjectName, Time>;

struct InstallationView {
  const AddOn& add_on;

  // Its ManagedClusterAddOns, by cluster.
  std::map<std::string, const json::Value*> managed = {};
  std::function<PlacementView(const ObjectName&)> placement;
  std::function<const json::Value*(std::string_view name)> cluster;  // Null when there is none.
  UnsettledSince unsettled = {};  // As the plan before this one said.
  Duration grace = {};            // How long that holds back removals.
  Time now;
};

struct InstallationPlan {
  std::vector<json::Value> create = {};
  std::vector<const json::Value*> remove = {};
  UnsettledSince unsettled = {};
  std::optional<Time> recheck = std::nullopt;  // When grace ends.
};

InstallationPlan plan_installation(const InstallationView& view);

// What a ManagedClusterAddOn takes over from its cluster: the annotations of the add-ons' domain.
// The cluster's values win; what only the add-on has stays.
json::Value with_cluster_annotations(json::Value managed, const json::Value& cluster);

}  // namespace berth::fleet

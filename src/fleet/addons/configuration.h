// Which configuration each cluster's copy of an add-on is to have now, and how far the rollout of
// each placement is. One pass over an add-on: values in, statuses out.

#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/time.h"
#include "fleet/addons/add_on.h"
#include "fleet/addons/config.h"
#include "fleet/addons/placement_view.h"
#include "json/value.h"

namespace berth::fleet {

struct ConfigurationView {
  const AddOn& add_on;
  const json::Value& object;  // The ClusterManagementAddOn.

  // Its ManagedClusterAddOns, by cluster.
  std::map<std::string, const json::Value*> managed = {};
  std::function<PlacementView(const ObjectName&)> placement;
  ConfigLookup lookup;
  Time now;
};

struct ConfigurationPlan {
  json::Value object;                               // With its new status.
  std::map<std::string, json::Value> managed = {};  // Those whose status changes, by cluster.
  std::optional<Time> recheck = std::nullopt;       // When time alone changes the plan.
  std::vector<std::string> problems = {};           // Strategies that cannot be followed.
};

// While a placement is missing, what only it chose stays configured as it is.
ConfigurationPlan plan_configuration(const ConfigurationView& view);

}  // namespace berth::fleet

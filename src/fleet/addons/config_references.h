// The references to configurations in statuses: which are desired, which were applied last.

#pragma once

#include "fleet/addons/add_on.h"
#include "fleet/addons/config.h"
#include "json/value.h"

namespace berth::fleet {

// The status of a ClusterManagementAddOn with the references that its spec asks for, with hashes as
// they are now. What was applied last and the conditions stay with a placement whose configurations
// are still the same objects.
json::Value with_config_references(json::Value status, const AddOn& add_on,
                                   const ConfigLookup& lookup);

// What the references under "configReferences" or "defaultconfigReferences" desire.
std::vector<AddOnConfig> desired_in(std::span<const json::Value> references);

// The status of a ManagedClusterAddOn that desires these: known references keep their place and
// what they know besides.
json::Value with_desired(json::Value status, const AddOnConfigs& desired);

// Generations of all objects that are referred to, and hashes of those that the ManagedClusterAddOn
// itself names: nobody rolls these out.
json::Value with_observed(json::Value status, std::span<const AddOnConfig> own,
                          const ConfigLookup& lookup);

// Everything that is desired counts as applied.
json::Value with_all_applied(json::Value status);

}  // namespace berth::fleet

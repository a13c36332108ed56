// ClusterManagementAddOn: an add-on that the hub knows, and where it is to be installed.

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "fleet/addons/config.h"
#include "fleet/addons/rollout_strategy.h"
#include "json/value.h"

namespace berth::fleet {

// One placement of the install strategy.
struct AddOnPlacement {
  ObjectName placement;
  std::vector<AddOnConfig> configs = {};
  Result<RolloutStrategy> rollout = RolloutStrategy();
};

enum class AddOnInstall : std::uint8_t { Manual, Placements };

struct AddOn {
  api::ObjectFacts facts = {};
  bool is_ours = true;        // Not when the annotation leaves it to a manager of its own.
  bool has_template = false;  // An AddOnTemplate says what runs: nobody else deploys it.
  AddOnInstall install = AddOnInstall::Manual;
  std::vector<AddOnConfig> defaults = {};
  std::vector<AddOnPlacement> placements = {};
};

AddOn read_add_on(const json::Value& object);

// Makes it the controller of its ManagedClusterAddOns.
api::OwnerReference owner_reference_to(const AddOn& add_on);

// The object with the owner in it, in the place of an older reference to an owner of that name.
json::Value with_owner(json::Value object, const api::OwnerReference& owner);
bool is_owned_by_add_on(const json::Value& managed);

}  // namespace berth::fleet

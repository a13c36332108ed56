// What the agent of an add-on may do on the hub: one RoleBinding for each permission that its
// template asks for.
//
// Only the agent of that cluster is bound. OCM also binds the group that the add-on's agents of all
// clusters share, with which each of them could read and write in the namespaces of all others.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "fleet/addons/names.h"
#include "fleet/addons/works.h"
#include "json/value.h"

namespace berth::fleet {

struct PermissionsView {
  const AddOnKey& key;
  std::string uid = {};  // Of the ManagedClusterAddOn.
  const json::Value& add_on_template;
};

// Fails when a permission lacks what its type needs.
Result<std::vector<json::Value>> wanted_bindings(const PermissionsView& view);

// `existing` are the RoleBindings that belong_to(..., key). A binding to another role is made anew,
// because a role cannot be exchanged in one.
std::vector<AddOnChange> plan_bindings(std::span<const json::Value> wanted,
                                       std::span<const json::Value* const> existing);

// Whose add-on a RoleBinding serves; empty names when it is none of ours.
AddOnKey add_on_of_binding(const json::Value& binding);

}  // namespace berth::fleet

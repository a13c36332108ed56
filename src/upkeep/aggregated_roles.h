// ClusterRoles that are made of other ClusterRoles: the rules that follow from their selectors.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "json/value.h"

namespace berth::upkeep {

bool is_aggregated(const json::Value& role);

// The role with the rules of all that its selectors choose, by name, each rule once; equal to it
// if all is well. `roles` are all ClusterRoles. nullopt: it is no aggregated role, is being
// deleted, or a selector cannot be read.
std::optional<json::Value> aggregate(const json::Value& role,
                                     const std::vector<const json::Value*>& roles);

}  // namespace berth::upkeep

// ClusterRoles that gather the rules of others by their labels.

#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace berth::apiserver {

// The rules that the role should have: those of all other roles that one of its selectors takes, by
// selector, then by name, each once. Nullopt if it does not gather; an error if a selector cannot
// be read.
Result<std::optional<json::Value>> aggregated_rules(const json::Value& role,
                                                    std::span<const json::Value> all);

// All roles with their rules brought up to date, also where gathering roles are gathered in turn.
// Roles whose selectors cannot be read stay as they are.
std::vector<json::Value> aggregate_all(std::vector<json::Value> roles);

}  // namespace berth::apiserver

// What the agents of a cluster may do on the hub, as roles and bindings: everything of their own
// cluster that they need, and nothing of another one.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "json/value.h"

namespace berth::fleet {

// A cluster that was denied may still look at itself, to find out.
enum class Acceptance { Accepted, Denied };

std::string cluster_role_name(std::string_view cluster);  // Of the role and of its binding.
std::string registration_binding_name(std::string_view cluster);
std::string work_binding_name(std::string_view cluster);

json::Value cluster_role(std::string_view cluster, Acceptance acceptance);
json::Value cluster_role_binding(std::string_view cluster);

// In the cluster's namespace. The one for work has a finalizer: an agent must be able to clean up
// what it applied as long as there are works.
json::Value registration_binding(std::string_view cluster);
json::Value work_binding(std::string_view cluster);

// What those two bind, the same for all clusters.
inline constexpr std::string_view kRegistrationRole =
    "open-cluster-management:managedcluster:registration";
inline constexpr std::string_view kWorkRole = "open-cluster-management:managedcluster:work";
json::Value registration_role();
json::Value work_role();

// Somebody who may ask to join and nothing else.
json::Value bootstrap_account();
json::Value bootstrap_role();
json::Value bootstrap_binding();

// The object with what `wanted` says about its labels, finalizers, rules and subjects; what others
// added stays. nullopt when no update can make it so: a binding cannot change its role.
std::optional<json::Value> as_wanted(const json::Value& existing, const json::Value& wanted);

}  // namespace berth::fleet

// The pure half of what keeps cluster sets in order: the two sets that always exist, the statuses
// of sets and bindings, and what every new cluster gets.

#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "base/time.h"
#include "json/value.h"

namespace berth::placement {

inline constexpr std::string_view kDefaultSet = "default";
inline constexpr std::string_view kGlobalSet = "global";

// The wished-for object: `default` holds the clusters labelled with it, `global` all clusters.
json::Value default_cluster_set();
json::Value global_cluster_set();

// The merge patch that gives an edited set its selector back; nullopt when it has it, or when the
// annotation cluster.open-cluster-management.io/autoupdate is "false".
std::optional<json::Value> restore_selector(const json::Value& existing, const json::Value& wanted);

// The merge patch of status that a set's or binding's condition needs; nullopt when it is right.
// Terminating clusters count as members.
std::optional<json::Value> set_status_patch(const json::Value& set, std::size_t members, Time now);

enum class SetExists { No, Yes };
std::optional<json::Value> binding_status_patch(const json::Value& binding, SetExists set_exists,
                                                Time now);

// What admission makes of a ManagedCluster: new taints and those whose value or effect changed get
// timeAdded = now, and a cluster without a set gets into the default one. `old` is null on create.
// Refused is an update that sets timeAdded itself; on create it is overwritten.
Result<json::Value> admit_managed_cluster(json::Value object, const json::Value* old, Time now);

// The same for an object that came past no admission: a taint without timeAdded gets now, a cluster
// without a set gets into the default one. What is there stays.
json::Value complete_managed_cluster(json::Value object, Time now);

}  // namespace berth::placement

// The guard on ManagedClusters: who may accept them, who may move them between sets, and which
// times stand on their taints.

#pragma once

#include "apiserver/guards/guard.h"
#include "apiserver/refusal.h"
#include "json/value.h"

namespace berth::apiserver {

inline constexpr std::string_view kClusterSetLabel =
    "cluster.open-cluster-management.io/clusterset";

// Stamps timeAdded on taints that are new or changed and gives a cluster without a set the set
// "default"; then demands the right to accept (update managedclusters/accept) where
// hubAcceptsClient becomes true, and to join (create managedclustersets/join) for the set that it
// leaves and the one that it enters. Clusters are named like namespaces and have https URLs.
Attempt<json::Value> guard_managed_cluster(const GuardedWrite& write, json::Value after);

}  // namespace berth::apiserver

// The words that both sides of registration have to spell alike: users, groups, labels, finalizers.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace berth::fleet {

inline constexpr std::string_view kClusterNameLabel = "open-cluster-management.io/cluster-name";
inline constexpr std::string_view kAddonNameLabel = "open-cluster-management.io/addon-name";

// On the managed cluster.
inline constexpr std::string_view kAgentNamespace = "open-cluster-management-agent";
inline constexpr std::string_view kBootstrapSecret = "bootstrap-hub-kubeconfig";
inline constexpr std::string_view kHubSecret = "hub-kubeconfig-secret";

// On the hub.
inline constexpr std::string_view kHubNamespace = "open-cluster-management";
inline constexpr std::string_view kBootstrapAccount = "agent-registration-bootstrap";
inline constexpr std::string_view kClusterLease = "managed-cluster-lease";
inline constexpr std::string_view kClientSigner = "kubernetes.io/kube-apiserver-client";
inline constexpr std::string_view kRightsFinalizer =
    "cluster.open-cluster-management.io/api-resource-cleanup";
inline constexpr std::string_view kContentFinalizer =
    "cluster.open-cluster-management.io/resource-cleanup";
inline constexpr std::string_view kWorkFinalizer =
    "cluster.open-cluster-management.io/manifest-work-cleanup";

// Types of a ManagedCluster's conditions.
inline constexpr std::string_view kAccepted = "HubAcceptedManagedCluster";
inline constexpr std::string_view kJoined = "ManagedClusterJoined";
inline constexpr std::string_view kAvailable = "ManagedClusterConditionAvailable";
inline constexpr std::string_view kClockSynced = "ManagedClusterConditionClockSynced";
inline constexpr std::string_view kDeleting = "Deleting";
inline constexpr std::string_view kCertificateRotated = "ClusterCertificateRotated";

// The group that all agents of all clusters are in.
inline constexpr std::string_view kManagedClustersGroup =
    "system:open-cluster-management:managed-clusters";

// An agent of a cluster: neither part holds a colon.
struct AgentName {
  std::string cluster;
  std::string agent;

  bool operator==(const AgentName&) const = default;
};

std::string user_of(const AgentName& name);      // The common name of its certificate.
std::string group_of(std::string_view cluster);  // The one organization that is its cluster's own.

// The agent whose user that is, exactly; nullopt for everybody else.
std::optional<AgentName> agent_of(std::string_view user);

// Clusters are named like namespaces, but not like those that belong to the hub itself: an agent
// gets rights in the namespace of its cluster's name, and is in a group of that name.
Status check_cluster_name(std::string_view name);
Status check_agent_name(std::string_view name);

}  // namespace berth::fleet

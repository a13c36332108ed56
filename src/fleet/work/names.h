// What the agent of ManifestWorks and everybody who works beside it must spell alike.

#pragma once

#include <string>
#include <string_view>

namespace berth::fleet {

inline constexpr std::string_view kWorkApiVersion = "work.open-cluster-management.io/v1";
inline constexpr std::string_view kAppliedWorkKind = "AppliedManifestWork";

// On a ManifestWork: what it brought to the cluster is still to be taken back.
inline constexpr std::string_view kManifestWorkFinalizer =
    "cluster.open-cluster-management.io/manifest-work-cleanup";
// On an AppliedManifestWork: what it lists is still to be taken back.
inline constexpr std::string_view kAppliedWorkFinalizer =
    "cluster.open-cluster-management.io/applied-manifest-work-cleanup";

inline constexpr std::string_view kSpecHashAnnotation =
    "open-cluster-management.io/config-spec-hash";
inline constexpr std::string_view kFieldManager = "work-agent";

inline constexpr std::string_view kWorkApplied = "Applied";
inline constexpr std::string_view kWorkAvailable = "Available";
inline constexpr std::string_view kWorkComplete = "Complete";
inline constexpr std::string_view kWorkDeleting = "Deleting";
inline constexpr std::string_view kWorkProgressing = "Progressing";
inline constexpr std::string_view kFeedbackSynced = "StatusFeedbackSynced";

// Why an agent that may have been followed by another one writes nothing more.
inline constexpr std::string_view kNotLeading = "no longer the leader";

std::string hex_sha256(std::string_view text);  // 64 digits.

// Which hub: the hash of its URL as the kubeconfig writes it.
inline std::string hub_hash(std::string_view server) { return hex_sha256(server); }

// The name of what the agent keeps on the cluster for a work of that hub.
std::string applied_work_name(std::string_view hub_hash, std::string_view work);

// The name of the Lease by which the agents of a cluster for that hub take turns. Agents for other
// hubs have nothing to do with it.
std::string work_lease_name(std::string_view hub_hash);

}  // namespace berth::fleet

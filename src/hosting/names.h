// The names that hosting shares with users, with the work agent and with HyperShift's add-on.

#pragma once

#include <string_view>

namespace berth::hosting {

inline constexpr std::string_view kGroup = "hosting.berth.dev";
inline constexpr std::string_view kLedgerName = "hosting";  // One in the namespace of each host.

// On a request: its claims and its work have to go before it does.
inline constexpr std::string_view kFinalizer = "hosting.berth.dev/release";

// On a work: whose it is.
inline constexpr std::string_view kRequestUidLabel = "hosting.berth.dev/request-uid";
inline constexpr std::string_view kRequestAnnotation = "hosting.berth.dev/request";

// On a work: what its manifests were made of, so that they are not compared field by field.
inline constexpr std::string_view kContentAnnotation = "hosting.berth.dev/content";

// On a work: the generation of the request that they were made of. Whoever knows only older ones
// leaves the work as it is.
inline constexpr std::string_view kGenerationAnnotation = "hosting.berth.dev/request-generation";

// Set by an operator on a request: the host is gone for ever, nothing of the cluster is left there.
inline constexpr std::string_view kFencedAnnotation = "hosting.berth.dev/host-is-fenced";

// As label selectors over requests see spec.group.
inline constexpr std::string_view kGroupLabel = "hosting.berth.dev/group";

// What HyperShift's add-on says about a hosting cluster.
inline constexpr std::string_view kHostingClaim = "hostingcluster.hypershift.openshift.io";
inline constexpr std::string_view kFullClaim = "full.hostedclustercount.hypershift.openshift.io";
inline constexpr std::string_view kThresholdClaim =
    "above.threshold.hostedclustercount.hypershift.openshift.io";
inline constexpr std::string_view kZeroClaim = "zero.hostedclustercount.hypershift.openshift.io";
inline constexpr std::string_view kCountScore = "hosted-clusters-score";
inline constexpr std::string_view kCountItem = "hostedClustersCount";
inline constexpr std::string_view kHyperShiftAddOn = "hypershift-addon";

// What Berth says about one.
inline constexpr std::string_view kCapacityScore = "hosting-capacity";

}  // namespace berth::hosting

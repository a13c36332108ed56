// Whether a placement tolerates all taints of a managed cluster, and until when.

#pragma once

#include <optional>
#include <span>

#include "api/taint.h"
#include "base/result.h"
#include "base/time.h"

namespace berth::api {

// Refuses tolerations that mean nothing, in Open Cluster Management's words.
Status check_cluster_tolerations(std::span<const Toleration> tolerations);

struct ClusterTaintContext {
  bool already_selected;  // The placement's decisions contain the cluster.
  Time now;
};

struct ClusterTaintVerdict {
  const Taint* untolerated = nullptr;  // The first that is in the way; null when none is.

  // While tolerated: when the first toleration in use expires.
  std::optional<Time> expires = std::nullopt;
};

// PreferNoSelect never hinders, and NoSelectIfNew does not hinder a cluster that is already
// selected. Otherwise the first toleration that fits and has not expired counts, even if a later
// one would last longer. Without timeAdded a toleration that is limited in time has expired.
ClusterTaintVerdict judge_cluster_taints(std::span<const Taint> taints,
                                         std::span<const Toleration> tolerations,
                                         const ClusterTaintContext& context);

}  // namespace berth::api

// DaemonSet: one pod on every node that takes it.

#pragma once

#include <span>

#include "api/kinds/node.h"
#include "local/owned_pod.h"
#include "local/workload_plan.h"

namespace berth::local {

// `pods` are those that the set owns, `nodes` all that there are. Cordons and the taints of nodes
// in trouble keep no daemon away, as in Kubernetes.
WorkloadPlan plan_daemon_set(const json::Value& set, Objects pods, std::span<const api::Node> nodes,
                             Time now);

}  // namespace berth::local

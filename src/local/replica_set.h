// ReplicaSet: so many pods by one template.

#pragma once

#include "local/owned_pod.h"
#include "local/workload_plan.h"

namespace berth::local {

// `pods` are those that the set owns. Pods that ended are not counted and stay, as a record.
WorkloadPlan plan_replica_set(const json::Value& set, Objects pods, Time now);

}  // namespace berth::local

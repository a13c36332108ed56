// Deployment: ReplicaSets that follow each other.

#pragma once

#include "local/owned_pod.h"
#include "local/workload_plan.h"

namespace berth::local {

// `sets` are the ReplicaSets that the deployment owns.
WorkloadPlan plan_deployment(const json::Value& deployment, Objects sets, Time now);

}  // namespace berth::local

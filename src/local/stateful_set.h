// StatefulSet: pods with fixed names, one after the other.

#pragma once

#include "local/owned_pod.h"
#include "local/workload_plan.h"

namespace berth::local {

// `pods` are those that the set owns. Volume claims are not made.
WorkloadPlan plan_stateful_set(const json::Value& set, Objects pods, Time now);

}  // namespace berth::local

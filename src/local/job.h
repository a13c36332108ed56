// Job: pods that run until so many have succeeded.

#pragma once

#include "local/owned_pod.h"
#include "local/workload_plan.h"

namespace berth::local {

// `pods` are those that the job owns. Indexed completions and pod failure policies are not known
// here: such a job is left alone.
WorkloadPlan plan_job(const json::Value& job, Objects pods, Time now);

}  // namespace berth::local

// Which changes of a pod's status are allowed: what kubelets and schedulers write.

#pragma once

#include "base/result.h"
#include "json/value.h"

namespace berth::apiserver {

// The pod to store, from what is there and what somebody sends to pods/status. Spec and owners
// stay, and so do the quality of service and observed generations that are left out. Containers
// that have ended for good do not come back, and a bound pod is not nominated elsewhere.
Result<json::Value> prepare_pod_status_update(const json::Value& before, json::Value after);

}  // namespace berth::apiserver

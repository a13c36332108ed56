// Which changes of a pod are allowed once it exists.

#pragma once

#include "base/result.h"
#include "json/value.h"

namespace berth::apiserver {

// The pod to store, from what is there and what somebody wants, both with their defaults. The
// status stays. Of the spec may change: images, activeDeadlineSeconds (only earlier), tolerations
// (only more, or their seconds), terminationGracePeriodSeconds (from negative to 1), gates (only
// fewer) and, behind gates, nodeSelector and nodeAffinity (only more). Everything else is Invalid.
Result<json::Value> prepare_pod_update(const json::Value& before, json::Value after);

}  // namespace berth::apiserver

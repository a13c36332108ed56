// Binding: how a scheduler gives a pod to a node.

#pragma once

#include "base/result.h"
#include "base/time.h"
#include "json/value.h"

namespace berth::apiserver {

// The bound pod. `binding` is the Binding that was posted: its target names the node, its
// annotations and labels go onto the pod, its uid and resourceVersion, if any, must be those of
// the pod. Conflict when the pod is being deleted, has gates, or is bound already.
Result<json::Value> bind_pod(json::Value pod, const json::Value& binding, Time now);

}  // namespace berth::apiserver

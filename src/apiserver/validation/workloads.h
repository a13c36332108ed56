// Deployments, ReplicaSets, StatefulSets and DaemonSets.

#pragma once

#include <vector>

#include "base/error.h"
#include "json/value.h"

namespace berth::apiserver {

std::vector<Cause> validate_deployment(const json::Value& object, const json::Value* old);
std::vector<Cause> validate_replica_set(const json::Value& object, const json::Value* old);
std::vector<Cause> validate_stateful_set(const json::Value& object, const json::Value* old);
std::vector<Cause> validate_daemon_set(const json::Value& object, const json::Value* old);

}  // namespace berth::apiserver

// The guard on ManagedClusterSetBindings: who may use a set in a namespace.

#pragma once

#include "apiserver/guards/guard.h"
#include "apiserver/refusal.h"
#include "json/value.h"

namespace berth::apiserver {

// A binding is named like its set; to create one takes the right to bind the set (create
// managedclustersets/bind).
Attempt<json::Value> guard_set_binding(const GuardedWrite& write, json::Value after);

}  // namespace berth::apiserver

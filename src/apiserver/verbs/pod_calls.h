// What only pods have: being bound to a node, and being evicted from it.

#pragma once

#include "apiserver/verbs/call.h"

namespace berth::apiserver {

// POST of a Binding, to the pod's subresource or to the old resource of that name.
Attempt<Outcome> bind_pod(const Call& call);

// POST of an Eviction: a deletion that disruption budgets may refuse.
Attempt<Outcome> evict_pod(const Call& call);

}  // namespace berth::apiserver

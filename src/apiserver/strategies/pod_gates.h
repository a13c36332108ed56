// What may change about where a pod goes while gates keep it from being scheduled.

#pragma once

#include <vector>

#include "base/error.h"
#include "json/value.h"

namespace berth::apiserver {

// Of two specs of the same pod: gates may only go, and while there are some, nodeSelector and
// the required nodeAffinity may only become narrower.
std::vector<Cause> check_gates(const json::Value& before, const json::Value& after);

// The new spec with the old nodeSelector and nodeAffinity, if gates allow to change them.
json::Value with_old_placement(json::Value after, const json::Value& before);

}  // namespace berth::apiserver

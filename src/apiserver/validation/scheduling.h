// What a pod's spec says about where it may run.

#pragma once

#include "apiserver/validation/complaints.h"
#include "apiserver/validation/place.h"

namespace berth::apiserver {

// tolerations, affinity, topologySpreadConstraints and schedulingGates.
void check_scheduling(const Place& spec, Complaints& complaints);

}  // namespace berth::apiserver

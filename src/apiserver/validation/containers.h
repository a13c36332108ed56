// The containers of a pod.

#pragma once

#include "apiserver/validation/complaints.h"
#include "apiserver/validation/place.h"
#include "apiserver/validation/volumes.h"

namespace berth::apiserver {

// containers and initContainers of a pod's spec.
void check_containers(const Place& spec, const VolumeNames& volumes, Complaints& complaints);

}  // namespace berth::apiserver

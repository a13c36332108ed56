// The volumes of a pod, and where containers mount them.

#pragma once

#include <set>
#include <string>

#include "apiserver/validation/complaints.h"
#include "apiserver/validation/place.h"

namespace berth::apiserver {

// The names of those that are right: only they can be mounted.
using VolumeNames = std::set<std::string, std::less<>>;
VolumeNames check_volumes(const Place& volumes, Complaints& complaints);

// volumeMounts and volumeDevices.
void check_mounts(const Place& container, const VolumeNames& volumes, Complaints& complaints);

}  // namespace berth::apiserver

// The environment variables of a container.

#pragma once

#include "apiserver/validation/complaints.h"
#include "apiserver/validation/place.h"

namespace berth::apiserver {

void check_environment(const Place& variables, Complaints& complaints);        // env
void check_environment_sources(const Place& sources, Complaints& complaints);  // envFrom

}  // namespace berth::apiserver

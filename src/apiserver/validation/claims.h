// PersistentVolumeClaims, by themselves and as templates of a StatefulSet.

#pragma once

#include <vector>

#include "apiserver/validation/complaints.h"
#include "apiserver/validation/place.h"
#include "base/error.h"
#include "json/value.h"

namespace berth::apiserver {

std::vector<Cause> validate_claim(const json::Value& object, const json::Value* old);

// The spec of one.
void check_claim(const Place& spec, Complaints& complaints);

}  // namespace berth::apiserver

// What a pod must and may say, by itself or in the template of something that makes pods.

#pragma once

#include <vector>

#include "apiserver/validation/complaints.h"
#include "apiserver/validation/place.h"
#include "apiserver/validation/volumes.h"
#include "base/error.h"
#include "json/value.h"

namespace berth::apiserver {

std::vector<Cause> validate_pod(const json::Value& pod, const json::Value* old);
std::vector<Cause> validate_pod_template(const json::Value& object, const json::Value* old);

// {metadata, spec} inside another object. `claims` are volumes that its owner adds.
void check_template(const Place& part, Complaints& complaints, const VolumeNames& claims = {});

}  // namespace berth::apiserver

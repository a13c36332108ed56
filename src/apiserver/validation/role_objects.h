// Roles and their bindings, as objects: whether somebody may write them is for others to say.

#pragma once

#include <vector>

#include "base/error.h"
#include "json/value.h"

namespace berth::apiserver {

std::vector<Cause> validate_role(const json::Value& object, const json::Value* old);
std::vector<Cause> validate_cluster_role(const json::Value& object, const json::Value* old);
std::vector<Cause> validate_role_binding(const json::Value& object, const json::Value* old);
std::vector<Cause> validate_cluster_role_binding(const json::Value& object, const json::Value* old);

}  // namespace berth::apiserver

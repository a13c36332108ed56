// PodDisruptionBudgets and PriorityClasses.

#pragma once

#include <vector>

#include "base/error.h"
#include "json/value.h"

namespace berth::apiserver {

std::vector<Cause> validate_disruption_budget(const json::Value& object, const json::Value* old);
std::vector<Cause> validate_priority_class(const json::Value& object, const json::Value* old);

}  // namespace berth::apiserver

// The quality of service that a pod is promised: decided once, by what its containers ask for.

#pragma once

#include <string_view>

#include "base/result.h"
#include "json/value.h"

namespace berth::apiserver {

// "Guaranteed" when every container limits cpu and memory and asks for exactly that, "BestEffort"
// when none says anything about either, else "Burstable". Amounts for the pod as a whole go before
// those of its containers. Errors name the resource that holds no quantity.
Result<std::string_view> pod_qos_class(const json::Value& pod);

}  // namespace berth::apiserver

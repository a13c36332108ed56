// Conditions of pods, which unlike others may have neither reason nor message.

#pragma once

#include <string_view>

#include "base/time.h"
#include "json/value.h"

namespace berth::apiserver {

struct PodCondition {
  std::string_view type;
  std::string_view status;  // "True", "False" or "Unknown".
  std::string_view reason = {};
  std::string_view message = {};
};

// The pod with the condition in its status, at its old place or else at the end. Its
// lastTransitionTime is `now` unless the status is what it was.
json::Value with_pod_condition(json::Value pod, const PodCondition& condition, Time now);

}  // namespace berth::apiserver

// Evicting pods: a deletion that asks the pod's disruption budget first.

#pragma once

#include <optional>
#include <span>

#include "base/result.h"
#include "base/time.h"
#include "json/value.h"

namespace berth::apiserver {

// What is to be written, in this order. Then the pod is deleted as usual (delete_pod).
struct PodEviction {
  // The budget with one disruption fewer, to be stored on the condition that nobody changed it
  // meanwhile. Absent: no budget has to pay.
  std::optional<json::Value> budget = std::nullopt;

  json::Value pod;  // Says why it goes: the condition DisruptionTarget.

  // The decision holds only for the pod as it is: whoever deletes it insists on its version.
  bool depends_on_pod_version = false;
};

// `budgets` are those of the pod's namespace. TooManyRequests when the budget has nothing left or
// its controller has not caught up, InternalError when several budgets select the pod.
Result<PodEviction> evict_pod(json::Value pod, std::span<const json::Value> budgets, Time now);

}  // namespace berth::apiserver

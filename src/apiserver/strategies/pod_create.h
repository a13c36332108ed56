// What becomes of a pod that somebody wants to create, after its defaults were filled in.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"
#include "json/value.h"

namespace berth::apiserver {

struct PriorityClassFacts {
  std::string name = {};
  std::int64_t value = 0;
  std::string preemption_policy = "PreemptLowerPriority";
};

struct PodLookups {
  // By name; nullopt when there is none.
  std::function<std::optional<PriorityClassFacts>(std::string_view name)> priority_class;
  // The one for pods that name none; nullopt when there is none.
  std::function<std::optional<PriorityClassFacts>()> default_priority_class;
};

// Decides the priority from the class, adds five minutes of toleration for nodes that stop
// answering, names the service account, and starts the status anew: Pending, with its quality of
// service, and gated if it has gates. Forbidden when the class does not exist or the pod
// contradicts it.
//
// No volume with a token is added: pods of this hub's clusters talk to their own API server.
Result<json::Value> prepare_new_pod(json::Value pod, const PodLookups& lookups, Time now);

// Adds the five minutes where a pod does not say for itself: on updates too.
json::Value with_default_tolerations(json::Value spec);

}  // namespace berth::apiserver

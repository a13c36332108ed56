// Deleting pods: a bound pod is asked to stop and is gone when its kubelet says so.

#pragma once

#include <cstdint>
#include <optional>

#include "base/time.h"
#include "json/value.h"

namespace berth::apiserver {

struct PodDeletion {
  enum class Action : std::uint8_t {
    Remove,  // At once, unless finalizers keep it; then `pod` is to be stored.
    Store,   // `pod` is to be stored: it has been asked to stop, or to stop sooner.
    Pending  // It has been asked before; nothing changes.
  };

  Action action = Action::Remove;
  json::Value pod = {};  // With the time by which it is to be gone.
};

// `grace` is the gracePeriodSeconds of the request. Without one the pod's own
// terminationGracePeriodSeconds counts; pods that are not bound or have finished need none; a
// negative one is 1. A pod that is being deleted can only be hurried.
PodDeletion delete_pod(json::Value pod, std::optional<std::int64_t> grace, Time now);

}  // namespace berth::apiserver

// How the ReplicaSets of a Deployment are scaled on the way from one template to the next.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace berth::local {

// One ReplicaSet, as far as a rollout sees it.
struct SetSize {
  std::int64_t wanted = 0;     // spec.replicas
  std::int64_t pods = 0;       // status.replicas
  std::int64_t available = 0;  // status.availableReplicas
};

struct RolloutLimits {
  bool recreates = false;  // All old pods go before the first new one comes.
  std::int64_t replicas = 1;
  std::int64_t surge = 0;        // Pods beyond `replicas`.
  std::int64_t unavailable = 0;  // Pods that may be missing.
};

// Percentages of the strategy are resolved: a surge up, what may be missing down; never both to 0.
RolloutLimits rollout_limits(const json::Value& deployment);

// How much of a DaemonSet on so many nodes may change at a time. Never both are 0.
struct DaemonShares {
  std::int64_t surge = 0;        // Nodes with a new pod beside the old one; 0: the old goes first.
  std::int64_t unavailable = 1;  // Nodes without a pod that works.
};
DaemonShares daemon_shares(const json::Value& set, std::int64_t nodes);

// What spec.replicas of each should be now. The new set is nullopt while it does not exist: then
// the first answer is the size to create it with.
struct RolloutStep {
  std::int64_t new_size = 0;
  std::vector<std::int64_t> old_sizes = {};  // As `old` is ordered.
};

// `old` is in the order of creation.
RolloutStep next_step(const RolloutLimits& limits, const std::optional<SetSize>& current,
                      const std::vector<SetSize>& old);

}  // namespace berth::local

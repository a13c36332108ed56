// Which clusters of a placement may have a new configuration now: some at a time, waiting for those
// that began, stopping when too many fail.

#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "fleet/addons/rollout_strategy.h"

namespace berth::fleet {

enum class RolloutState : std::uint8_t {
  ToApply,      // What is desired has not been handed to it.
  Progressing,  // It has, and is not in place yet.
  Succeeded,
  Failed,
};

struct ClusterRollout {
  std::string cluster;
  RolloutState state = RolloutState::ToApply;
  std::optional<Time> since = std::nullopt;  // When it got into that state; absent: just now.
};

// A decision group of the placement, with its clusters in alphabetical order.
struct RolloutGroup {
  std::string name = {};
  std::int32_t index = 0;
  std::vector<std::string> clusters = {};
};

struct Rollout {
  std::set<std::string> clusters = {};   // Have it or may have it, and are not through with it.
  std::set<std::string> timed_out = {};  // Took longer than the deadline.
  bool is_stopped = false;               // Too many have failed: no further cluster gets it.
  std::optional<Time> recheck = std::nullopt;  // When time alone changes the answer.
};

// `groups` are in the order of their indexes. `states` has the clusters that the add-on is on; of
// clusters outside of the groups nothing is said.
Result<Rollout> roll_out(const RolloutStrategy& strategy, std::span<const RolloutGroup> groups,
                         std::span<const ClusterRollout> states, Time now);

}  // namespace berth::fleet

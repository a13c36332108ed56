// The two conditions in a Placement's status, worded as the reference words them.

#pragma once

#include <string>
#include <vector>

#include "api/kinds/placement.h"
#include "base/time.h"
#include "json/value.h"
#include "placement/deciding/schedule.h"
#include "placement/options.h"

namespace berth::placement {

struct Condition {
  std::string type;
  std::string status;  // "True" or "False".
  std::string reason;
  std::string message;

  bool operator==(const Condition&) const = default;
};

// PlacementMisconfigured and PlacementSatisfied, in this order. `outcome` may be worse than the
// schedule's own: writing decisions can fail on the group strategy.
std::vector<Condition> make_conditions(const api::Placement& placement, const Schedule& schedule,
                                       const ScheduleOutcome& outcome);

// The same for a misconfigured placement that keeps the decisions it had.
std::vector<Condition> make_conditions_of_kept(const ScheduleOutcome& outcome);

// The list with these conditions in it: new ones at the end, others' untouched. The transition time
// moves only with the status. `generation` becomes observedGeneration unless it is 0.
json::Value with_conditions(const json::Value& list, const std::vector<Condition>& conditions,
                            Time now, std::int64_t generation);

}  // namespace berth::placement

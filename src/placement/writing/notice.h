// Notices: what the users of a Placement are told in Events, in the reference's words.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "api/object_key.h"
#include "placement/deciding/schedule.h"
#include "placement/fleet/fleet_view.h"

namespace berth::placement {

// The event's `regarding` is the Placement, its `related` the decision that the write was about.
struct Notice {
  enum class Type : std::uint8_t { Normal, Warning };

  Type type = Type::Normal;
  std::string reason = {};
  std::string action = {};
  std::string note = {};

  bool operator==(const Notice&) const = default;
};

Notice decision_created(const api::ObjectKey& placement, std::string_view decision);
Notice decision_deleted(const api::ObjectKey& placement, std::string_view decision);

// A Warning that ends with the outcome's message, if that is a warning.
Notice decision_updated(const api::ObjectKey& placement, std::string_view decision,
                        const ScheduleOutcome& outcome);

// "a:100 b:-20 ": every feasible cluster by name, cut at an item after 1000 bytes.
Notice score_updated(const Schedule& schedule, const FleetView& fleet);

}  // namespace berth::placement

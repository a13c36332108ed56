// What Berth's engine says that the reference will have written about one Placement, from the
// objects that the API server has.

#pragma once

#include <optional>
#include <string>

#include "base/time.h"
#include "json/value.h"
#include "kube/comparison/objects.h"
#include "placement/fleet/fleet_view.h"

namespace berth::kube {

placement::FleetView view_of(const Objects& objects);

// What is compared: the status, and every PlacementDecision with labels, owner and status. Without
// the times in conditions.
json::Value written_state(const Objects& objects, const ObjectName& placement);

struct Prediction {
  enum class Kind : std::uint8_t {
    Settles,
    Ignored,  // Deleted or disabled: everything stays.
    Fails,    // The fleet cannot be read: nothing is written.
    Endless,  // Every write is followed by another one.
  };

  Kind kind = Kind::Settles;
  json::Value state = {};      // When it has settled.
  bool reads_balance = false;  // Other placements' decisions matter.
};

// Runs the engine as the reference runs: again after each of its own writes, until nothing is left
// to write. `fleet` is view_of(objects), which serves all placements.
Prediction predict(const Objects& objects, const placement::FleetView& fleet,
                   const ObjectName& placement, Time now);

}  // namespace berth::kube

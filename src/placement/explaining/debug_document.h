// The document that OCM's debug endpoint answers with: filter by filter and score by score.

#pragma once

#include "json/value.h"
#include "placement/deciding/schedule.h"
#include "placement/fleet/fleet_view.h"

namespace berth::placement {

// `object` is the Placement as it was evaluated; its status is left out. Problems of scheduling are
// not told: the later sections are missing then, as in the reference. The lists whose order the
// reference leaves to chance are sorted by name.
json::Value debug_document(const json::Value& object, const Schedule& schedule,
                           const FleetView& fleet);

}  // namespace berth::placement

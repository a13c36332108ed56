// Whether an add-on is available: by what its works report, or by the lease that its agent renews.

#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "api/conditions.h"
#include "base/time.h"
#include "fleet/addons/names.h"
#include "json/value.h"

namespace berth::fleet {

struct WorkProbeView {
  const AddOnKey& key;
  const json::Value& cluster;
  std::span<const json::Value> manifests = {};     // What should run there.
  std::span<const json::Value* const> works = {};  // With the add-on's label.
};

// The condition Available. nullopt while nobody knows how the cluster is: then registration says
// so.
std::optional<api::Condition> probe_works(const WorkProbeView& view);

// How long a lease is believed; it is renewed every minute.
inline constexpr Duration kAddOnLeaseGrace = std::chrono::minutes(5);

// `lease` may be null. The condition Available, for add-ons whose health nobody probes otherwise.
api::Condition probe_lease(std::string_view add_on, const json::Value* lease, Time now);

}  // namespace berth::fleet

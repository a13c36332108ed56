// Situation: the fleet and all placements as one hub shows them, kept up to date object by object.
// Every change says which placements it concerns; each of those can then be planned.

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "api/object_key.h"
#include "base/result.h"
#include "base/time.h"
#include "json/value.h"
#include "placement/compiling/cel_expressions.h"
#include "placement/compiling/compiled_placement.h"
#include "placement/fleet/fleet_view.h"
#include "placement/fleet/watched_kinds.h"
#include "placement/options.h"
#include "placement/waking/dependencies.h"
#include "placement/writing/plan.h"

namespace berth::placement {

class Situation {
 public:
  explicit Situation(const Options& options) : options_(options) {}

  // Both answer with the placements that the change can affect, sorted; none when the object is
  // known already. A namespace is empty for kinds of cluster scope.
  std::vector<api::ObjectKey> put(Watched kind, const json::Value& object);
  std::vector<api::ObjectKey> remove(Watched kind, std::string_view object_namespace,
                                     std::string_view name);

  // Null when there is no such placement.
  const CompiledPlacement* find(const api::ObjectKey& key) const;
  std::size_t placements() const { return placements_.size(); }

  // The placement must exist.
  Result<Plan> plan(const api::ObjectKey& key, Time now) const;

  // One slice of the run, which began with the placement as it is.
  Result<Plan> plan(const api::ObjectKey& key, ScheduleRun& run) const;

  // Takes the decisions of a plan for written, so that placements planned next count them. What the
  // hub shows later is put() over it.
  void assume(const api::ObjectKey& key, const Plan& plan);

  // Some plugins read whole clusters, which are kept from the first placement with one of them on.
  // When this becomes true all clusters have to be put once more.
  bool keeps_cluster_objects() const { return keeps_cluster_objects_; }

  // Gives them up if no placement reads them any more. To be called now and then, not at once: the
  // next such placement may be on its way.
  void drop_unread_cluster_objects();

  // A Placement that the hub does not have, made ready as those it has.
  CompiledPlacement compile(const json::Value& placement) const;

  const FleetView& fleet() const { return fleet_; }
  const Options& options() const { return options_; }

 private:
  FleetChange put_fleet(Watched kind, const json::Value& object);
  FleetChange remove_fleet(Watched kind, std::string_view object_namespace, std::string_view name);
  void assume(const api::ObjectKey& key, const PlannedWrite& write);

  Options options_;
  CelExpressions expressions_;
  FleetView fleet_;
  Dependencies dependencies_;
  std::map<api::ObjectKey, CompiledPlacement> placements_;
  bool keeps_cluster_objects_ = false;
};

}  // namespace berth::placement

#include "placement/situation.h"

#include <memory>
#include <utility>

#include "api/kinds/add_on_placement_score.h"
#include "api/kinds/managed_cluster.h"
#include "api/kinds/managed_cluster_set.h"
#include "api/kinds/placement_decision.h"
#include "base/check.h"

namespace berth::placement {
namespace {

bool is_same_version(const CompiledPlacement& a, const CompiledPlacement& b) {
  const api::ObjectFacts& facts = a.placement.facts;
  return !facts.resource_version.empty() && facts.uid == b.placement.facts.uid &&
         facts.resource_version == b.placement.facts.resource_version;
}

}  // namespace

std::vector<api::ObjectKey> Situation::put(Watched kind, const json::Value& object) {
  if (kind != Watched::Placements) {
    return dependencies_.affected(put_fleet(kind, object), fleet_.sets());
  }
  CompiledPlacement compiled = compile(object);
  const api::ObjectKey key = compiled.key;
  if (const CompiledPlacement* known = find(key); known && is_same_version(*known, compiled)) {
    return {};
  }
  dependencies_.put(compiled, options_);
  if (dependencies_.reads_whole_objects()) keeps_cluster_objects_ = true;
  placements_.insert_or_assign(key, std::move(compiled));
  return {key};
}

FleetChange Situation::put_fleet(Watched kind, const json::Value& object) {
  switch (kind) {
    case Watched::Clusters: {
      std::shared_ptr<const json::Value> whole;
      if (keeps_cluster_objects_) {
        whole = std::make_shared<const json::Value>(managed_cluster_for_expressions(object));
      }
      return fleet_.put_cluster(api::read_managed_cluster(object), std::move(whole));
    }
    case Watched::Sets:
      return fleet_.put_set(api::read_managed_cluster_set(object));
    case Watched::Bindings:
      return fleet_.put_binding(api::read_managed_cluster_set_binding(object));
    case Watched::Scores:
      return fleet_.put_score(api::read_add_on_placement_score(object));
    case Watched::Decisions:
      return fleet_.put_decision(api::read_placement_decision(object));
    case Watched::Placements:
      break;
  }
  CHECK(false);
}

std::vector<api::ObjectKey> Situation::remove(Watched kind, std::string_view object_namespace,
                                              std::string_view name) {
  if (kind != Watched::Placements) {
    return dependencies_.affected(remove_fleet(kind, object_namespace, name), fleet_.sets());
  }
  const api::ObjectKey key{std::string(object_namespace), std::string(name)};
  dependencies_.remove(key);
  placements_.erase(key);
  return {key};
}

FleetChange Situation::remove_fleet(Watched kind, std::string_view object_namespace,
                                    std::string_view name) {
  switch (kind) {
    case Watched::Clusters:
      return fleet_.remove_cluster(name);
    case Watched::Sets:
      return fleet_.remove_set(name);
    case Watched::Bindings:
      return fleet_.remove_binding(object_namespace, name);
    case Watched::Scores:
      return fleet_.remove_score(object_namespace, name);
    case Watched::Decisions:
      return fleet_.remove_decision(object_namespace, name);
    case Watched::Placements:
      break;
  }
  CHECK(false);
}

const CompiledPlacement* Situation::find(const api::ObjectKey& key) const {
  const auto found = placements_.find(key);
  return found == placements_.end() ? nullptr : &found->second;
}

Result<Plan> Situation::plan(const api::ObjectKey& key, Time now) const {
  return plan_placement(placements_.at(key), fleet_, now, options_);
}

Result<Plan> Situation::plan(const api::ObjectKey& key, ScheduleRun& run) const {
  return plan_placement(placements_.at(key), fleet_, run, options_);
}

void Situation::assume(const api::ObjectKey& key, const Plan& plan) {
  for (const PlannedWrite& write : plan.writes) assume(key, write);
}

void Situation::assume(const api::ObjectKey& key, const PlannedWrite& write) {
  const api::ObjectKey decision{key.ns, write.name};
  switch (write.kind) {
    case PlannedWrite::Kind::CreateDecision:
      fleet_.put_decision(api::read_placement_decision(write.body));
      return;
    case PlannedWrite::Kind::PatchDecisionStatus: {
      const api::PlacementDecision* object = fleet_.decisions().find(decision);
      if (!object) return;
      api::PlacementDecision changed = *object;
      changed.decisions = api::read_placement_decision(write.body).decisions;
      fleet_.put_decision(std::move(changed));
      return;
    }
    case PlannedWrite::Kind::DeleteDecision:
      fleet_.remove_decision(decision.ns, decision.name);
      return;
    case PlannedWrite::Kind::PatchDecisionLabels:  // Nobody else looks at them.
    case PlannedWrite::Kind::PatchPlacementStatus:
      return;
  }
}

void Situation::drop_unread_cluster_objects() {
  if (!keeps_cluster_objects_ || dependencies_.reads_whole_objects()) return;
  fleet_.drop_cluster_objects();
  keeps_cluster_objects_ = false;
}

CompiledPlacement Situation::compile(const json::Value& placement) const {
  return placement::compile(api::read_placement(placement), expressions_, options_);
}

}  // namespace berth::placement

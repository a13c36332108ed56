#include "kube/comparison/prediction.h"

#include <memory>
#include <utility>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "json/merge_patch.h"
#include "placement/compiling/cel_expressions.h"
#include "placement/compiling/compiled_placement.h"
#include "placement/fleet/fleet_view.h"
#include "placement/options.h"
#include "placement/writing/plan.h"

namespace berth::kube {
namespace {

using json::Value;
using placement::FleetView;
using placement::PlannedWrite;

constexpr int kRunsMax = 12;

// What the server would have after the write.
void apply(const PlannedWrite& write, const ObjectName& owner, Objects& objects) {
  const ObjectName name{.ns = owner.ns, .name = write.name};
  const auto patch = [&](ObjectKind kind) {
    const Value* object = objects.find(kind, name);
    if (object) objects.put(kind, json::apply_merge_patch(*object, write.body));
  };
  switch (write.kind) {
    case PlannedWrite::Kind::CreateDecision:
      objects.put(ObjectKind::Decision, write.body);
      break;
    case PlannedWrite::Kind::PatchDecisionStatus:
    case PlannedWrite::Kind::PatchDecisionLabels:
      patch(ObjectKind::Decision);
      break;
    case PlannedWrite::Kind::DeleteDecision:
      objects.remove(ObjectKind::Decision, name);
      break;
    case PlannedWrite::Kind::PatchPlacementStatus:
      patch(ObjectKind::Placement);
      break;
  }
}

bool reads_balance(const placement::CompiledPlacement& compiled) {
  for (const auto& weighted : compiled.prioritizers) {
    if (weighted.prioritizer->name() == "Balance") return true;
  }
  return false;
}

}  // namespace

FleetView view_of(const Objects& objects) {
  FleetView fleet;
  for (const auto& [name, object] : objects.all(ObjectKind::Set)) {
    fleet.put_set(api::read_managed_cluster_set(object));
  }
  for (const auto& [name, object] : objects.all(ObjectKind::Binding)) {
    fleet.put_binding(api::read_managed_cluster_set_binding(object));
  }
  for (const auto& [name, object] : objects.all(ObjectKind::Cluster)) {
    fleet.put_cluster(
        api::read_managed_cluster(object),
        std::make_shared<const Value>(placement::managed_cluster_for_expressions(object)));
  }
  for (const auto& [name, object] : objects.all(ObjectKind::Score)) {
    fleet.put_score(api::read_add_on_placement_score(object));
  }
  for (const auto& [name, object] : objects.all(ObjectKind::Decision)) {
    fleet.put_decision(api::read_placement_decision(object));
  }
  return fleet;
}

Value written_state(const Objects& objects, const ObjectName& placement) {
  const Value* object = objects.find(ObjectKind::Placement, placement);
  Value state = Value::object();
  if (object) state["status"] = api::field(*object, "status");
  if (Value* conditions = state["status"].find("conditions")) {
    for (Value& condition : conditions->elements()) condition.erase("lastTransitionTime");
  }
  Value& decisions = state["decisions"] = Value::object();
  for (const Value* decision : objects.decisions_of(placement)) {
    const Value& metadata = api::field(*decision, "metadata");
    Value& shown = decisions[name_of(*decision).name];
    shown["labels"] = api::field(metadata, "labels");
    shown["owners"] = api::field(metadata, "ownerReferences");
    if (const Value* status = decision->find("status")) shown["status"] = *status;
  }
  return state;
}

Prediction predict(const Objects& objects, const FleetView& fleet, const ObjectName& name,
                   Time now) {
  const placement::Options options = placement::ocm_exact();
  Prediction prediction;
  std::optional<Objects> written;  // With what was written so far.
  for (int run = 0; run < kRunsMax; ++run) {
    const Objects& current = written ? *written : objects;
    const auto compiled =
        placement::compile(api::read_placement(*current.find(ObjectKind::Placement, name)),
                           placement::CelExpressions(), options);
    prediction.reads_balance = reads_balance(compiled);
    const auto plan =
        placement::plan_placement(compiled, written ? view_of(*written) : fleet, now, options);
    if (!plan.ok() || plan->is_ignored || plan->writes.empty()) {
      prediction.kind = !plan.ok()         ? Prediction::Kind::Fails
                        : plan->is_ignored ? Prediction::Kind::Ignored
                                           : Prediction::Kind::Settles;
      prediction.state = written_state(current, name);
      return prediction;
    }
    if (!written) written = objects;
    for (const PlannedWrite& write : plan->writes) apply(write, name, *written);
  }
  prediction.kind = Prediction::Kind::Endless;
  return prediction;
}

}  // namespace berth::kube

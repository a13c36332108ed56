#include "fleet/addons/installation.h"

#include <algorithm>
#include <set>

#include "api/kinds/fields.h"

namespace berth::fleet {
namespace {

bool is_gone(const json::Value* object) { return !object || api::read_facts(*object).is_deleting; }

json::Value new_managed(const AddOn& add_on, const json::Value& cluster) {
  json::Value managed = json::Value::object(
      {{"apiVersion", kAddOnApiVersion},
       {"kind", "ManagedClusterAddOn"},
       {"metadata", json::Value::object({{"name", add_on.facts.name},
                                         {"namespace", api::read_facts(cluster).name}})},
       {"spec", json::Value::object()}});
  return with_cluster_annotations(with_owner(std::move(managed), owner_reference_to(add_on)),
                                  cluster);
}

// The placements' last words, and how long one of them has owed us its own.
struct Chosen {
  std::set<std::string> clusters = {};
  bool is_final = true;
};

Chosen collect(const InstallationView& view, InstallationPlan& plan) {
  Chosen chosen;
  for (const AddOnPlacement& each : view.add_on.placements) {
    const PlacementView placement = view.placement(each.placement);
    for (const RolloutGroup& group : placement.groups) {
      chosen.clusters.insert(group.clusters.begin(), group.clusters.end());
    }
    if (placement.is_settled) continue;
    const auto known = view.unsettled.find(each.placement);
    const Time since = known == view.unsettled.end() ? view.now : known->second;
    plan.unsettled[each.placement] = since;
    const Time end = since + view.grace;
    if (end <= view.now) continue;
    chosen.is_final = false;
    plan.recheck = std::min(plan.recheck.value_or(Time::max()), end);
  }
  return chosen;
}

}  // namespace

InstallationPlan plan_installation(const InstallationView& view) {
  InstallationPlan plan;
  const AddOn& add_on = view.add_on;
  if (!add_on.is_ours || add_on.facts.is_deleting) return plan;
  if (add_on.install != AddOnInstall::Placements) return plan;
  const Chosen chosen = collect(view, plan);
  for (const std::string& name : chosen.clusters) {
    if (view.managed.contains(name)) continue;
    const json::Value* cluster = view.cluster(name);
    if (!is_gone(cluster)) plan.create.push_back(new_managed(add_on, *cluster));
  }
  if (!chosen.is_final) return plan;
  for (const auto& [cluster, managed] : view.managed) {
    if (chosen.clusters.contains(cluster) || is_gone(managed)) continue;
    plan.remove.push_back(managed);
  }
  return plan;
}

json::Value with_cluster_annotations(json::Value managed, const json::Value& cluster) {
  for (const api::Label& annotation : api::read_facts(cluster).annotations) {
    if (!annotation.key.starts_with(kAddOnGroup)) continue;
    managed["metadata"]["annotations"][annotation.key] = annotation.value;
  }
  return managed;
}

}  // namespace berth::fleet

#include "placement/clustersets/cluster_sets.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "api/kinds/managed_cluster.h"
#include "api/taint.h"
#include "base/rfc3339.h"
#include "base/strings.h"
#include "placement/writing/conditions.h"

namespace berth::placement {
namespace {

constexpr std::string_view kAutoUpdateAnnotation = "cluster.open-cluster-management.io/autoupdate";

json::Value cluster_set(std::string_view name, json::Value selector) {
  return json::Value::object(
      {{"apiVersion", "cluster.open-cluster-management.io/v1beta2"},
       {"kind", "ManagedClusterSet"},
       {"metadata", json::Value::object({{"name", name}})},
       {"spec", json::Value::object({{"clusterSelector", std::move(selector)}})}});
}

std::optional<json::Value> status_patch(const json::Value& object, const Condition& condition,
                                        Time now) {
  const json::Value& before = api::field(api::field(object, "status"), "conditions");
  json::Value after = with_conditions(before, {condition}, now, 0);
  if (after == before) return std::nullopt;
  return json::Value::object({{"status", json::Value::object({{"conditions", std::move(after)}})}});
}

bool same_taint(const api::Taint& a, const api::Taint& b) {
  return a.key == b.key && a.value == b.value && a.effect == b.effect;
}

// The taint of the old object that this one continues.
const api::Taint* find_old(const std::vector<api::Taint>& old, const api::Taint& taint) {
  const auto found =
      std::ranges::find_if(old, [&taint](const auto& other) { return same_taint(other, taint); });
  return found == old.end() ? nullptr : &*found;
}

std::vector<api::Taint> taints_of(const json::Value& object) {
  std::vector<api::Taint> taints;
  for (const json::Value& taint : api::elements_field(api::field(object, "spec"), "taints")) {
    taints.push_back(api::Taint::from_json(taint));
  }
  return taints;
}

json::Value* find_taints(json::Value& object) {
  json::Value* spec = object.find("spec");
  return spec ? spec->find("taints") : nullptr;
}

Status stamp_taints(json::Value& object, const json::Value* old, Time now) {
  json::Value* taints = find_taints(object);
  if (!taints) return {};
  const auto before = old ? taints_of(*old) : std::vector<api::Taint>{};
  std::vector<std::string> refused;
  for (json::Value& entry : taints->elements()) {
    if (!entry.is_object()) continue;
    const api::Taint taint = api::Taint::from_json(entry);
    const api::Taint* same = find_old(before, taint);
    const std::optional<Time> known = same ? same->time_added : std::nullopt;
    if (old && taint.time_added && taint.time_added != known) {
      refused.push_back(taint.key);
    } else if (same && known) {
      entry["timeAdded"] = format_seconds(*known);
    } else {
      entry["timeAdded"] = format_seconds(now);
    }
  }
  if (refused.empty()) return {};
  return failure(Code::Forbidden, fmt::format("It is not allowed to set TimeAdded of Taint {}.",
                                              quote(join(refused, ","))));
}

void put_into_default_set(json::Value& object) {
  json::Value& metadata = object["metadata"];
  if (!metadata.is_object()) metadata = json::Value::object();
  json::Value& labels = metadata["labels"];
  if (!labels.is_object()) labels = json::Value::object();
  json::Value& set = labels[api::kClusterSetLabel];
  if (set.string_or_empty().empty()) set = kDefaultSet;
}

}  // namespace

json::Value default_cluster_set() {
  return cluster_set(kDefaultSet,
                     json::Value::object({{"selectorType", "ExclusiveClusterSetLabel"}}));
}

json::Value global_cluster_set() {
  return cluster_set(kGlobalSet, json::Value::object({{"selectorType", "LabelSelector"},
                                                      {"labelSelector", json::Value::object()}}));
}

std::optional<json::Value> restore_selector(const json::Value& existing,
                                            const json::Value& wanted) {
  if (api::read_facts(existing).annotation(kAutoUpdateAnnotation) == "false") return std::nullopt;
  const json::Value& is = api::field(api::field(existing, "spec"), "clusterSelector");
  const json::Value& should = api::field(api::field(wanted, "spec"), "clusterSelector");
  if (is == should) return std::nullopt;
  // A merge patch only adds, so what does not belong there is taken away by name.
  json::Value selector = should;
  const auto clear = [](const json::Value& from, json::Value& to) {
    for (const json::Member& member : from.members()) {
      if (!to.find(member.name())) to[member.name()] = nullptr;
    }
  };
  clear(is, selector);
  if (json::Value* labels = selector.find("labelSelector"); labels && labels->is_object()) {
    clear(api::field(is, "labelSelector"), *labels);
  }
  return json::Value::object(
      {{"spec", json::Value::object({{"clusterSelector", std::move(selector)}})}});
}

std::optional<json::Value> set_status_patch(const json::Value& set, std::size_t members, Time now) {
  const bool is_empty = members == 0;
  return status_patch(set,
                      {.type = "ClusterSetEmpty",
                       .status = is_empty ? "True" : "False",
                       .reason = is_empty ? "NoClusterMatched" : "ClustersSelected",
                       .message = is_empty ? "No ManagedCluster selected"
                                           : fmt::format("{} ManagedClusters selected", members)},
                      now);
}

std::optional<json::Value> binding_status_patch(const json::Value& binding, SetExists set_exists,
                                                Time now) {
  const bool is_bound = set_exists == SetExists::Yes;
  return status_patch(binding,
                      {.type = "Bound",
                       .status = is_bound ? "True" : "False",
                       .reason = is_bound ? "ClusterSetBound" : "ClusterSetNotFound",
                       .message = ""},
                      now);
}

Result<json::Value> admit_managed_cluster(json::Value object, const json::Value* old, Time now) {
  if (!object.is_object()) return failure(Code::BadRequest, "a ManagedCluster is an object");
  RETURN_IF_ERROR(stamp_taints(object, old, now));
  put_into_default_set(object);
  return object;
}

json::Value complete_managed_cluster(json::Value object, Time now) {
  if (json::Value* taints = find_taints(object)) {
    for (json::Value& entry : taints->elements()) {
      if (!entry.is_object() || api::Taint::from_json(entry).time_added) continue;
      entry["timeAdded"] = format_seconds(now);
    }
  }
  put_into_default_set(object);
  return object;
}

}  // namespace berth::placement

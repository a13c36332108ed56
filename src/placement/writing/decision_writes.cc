// Tested by plan_test.cc.
#include "placement/writing/decision_writes.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "api/kinds/placement_decision.h"
#include "placement/writing/notice.h"
#include "placement/writing/write_order.h"

namespace berth::placement {
namespace {

std::vector<api::Label> wanted_labels(const api::ObjectKey& key, const DecisionSlice& slice) {
  // Sorted by key.
  return {{std::string(api::kDecisionGroupIndexLabel), std::to_string(slice.group)},
          {std::string(api::kDecisionGroupNameLabel), slice.group_name},
          {std::string(api::kPlacementLabel), key.name}};
}

json::Value to_json(const std::vector<api::Label>& labels) {
  json::Value object = json::Value::object();
  for (const api::Label& label : labels) object[label.key] = label.value;
  return object;
}

json::Value to_json(const std::vector<api::ClusterDecision>& decisions) {
  json::Value list = json::Value::array();
  for (const api::ClusterDecision& decision : decisions) {
    json::Value entry =
        json::Value::object({{"clusterName", decision.cluster}, {"reason", decision.reason}});
    if (decision.score) entry["score"] = *decision.score;
    list.push_back(std::move(entry));
  }
  return list;
}

json::Value new_decision(const api::Placement& placement, const DecisionSlice& slice) {
  const api::ObjectFacts& facts = placement.facts;
  const api::ObjectKey key{facts.object_namespace, facts.name};
  const json::Value owner =
      json::Value::object({{"apiVersion", "cluster.open-cluster-management.io/v1beta1"},
                           {"kind", "Placement"},
                           {"name", facts.name},
                           {"uid", facts.uid},
                           {"controller", true},
                           {"blockOwnerDeletion", true}});
  return json::Value::object(
      {{"apiVersion", "cluster.open-cluster-management.io/v1beta1"},
       {"kind", "PlacementDecision"},
       {"metadata", json::Value::object({{"name", slice.name},
                                         {"namespace", facts.object_namespace},
                                         {"labels", to_json(wanted_labels(key, slice))},
                                         {"ownerReferences", json::Value::array({owner})}})}});
}

// Precondition of a patch; empty for an object that is created in the same plan.
json::Value identity(const api::PlacementDecision* object) {
  if (!object) return json::Value::object();
  return json::Value::object(
      {{"uid", object->facts.uid}, {"resourceVersion", object->facts.resource_version}});
}

json::Value status_patch(const api::PlacementDecision* object,
                         const std::vector<api::ClusterDecision>& decisions) {
  return json::Value::object(
      {{"metadata", identity(object)},
       {"status", json::Value::object({{"decisions", to_json(decisions)}})}});
}

std::vector<std::string> names_of(const std::vector<api::ClusterDecision>& decisions) {
  std::vector<std::string> names;
  for (const api::ClusterDecision& decision : decisions) names.push_back(decision.cluster);
  return names;
}

class Writing {
 public:
  explicit Writing(const DecisionWish& wish) : wish_(wish) {
    const api::Placement& placement = wish.placement.placement;
    writes_scores_ = wish.options.decision_score ||
                     (wish.options.sort_by && placement.sort_by == api::SortBy::Score);
    for (const auto* object : wish.fleet.decisions().objects_of(wish.placement.key)) {
      // One that is being deleted may stay for long; asking again does not help.
      if (!object->facts.is_deleting) existing_.emplace(object->facts.name, object);
    }
    for (const DecisionSlice& slice : wish.slices) wanted_.push_back(decisions_of(slice));
    holds_scores_ = writes_scores_ && must_hold_scores();
  }

  DecisionWrites run() {
    for (const std::size_t i : order()) write(i);
    for (const auto& [name, object] : existing_) {
      const bool is_wanted = std::ranges::any_of(
          wish_.slices, [&name](const DecisionSlice& slice) { return slice.name == name; });
      if (!is_wanted) erase(*object);
    }
    return std::move(result_);
  }

 private:
  std::vector<api::ClusterDecision> decisions_of(const DecisionSlice& slice) const {
    std::vector<api::ClusterDecision> decisions;
    decisions.reserve(slice.clusters.size());
    for (const Ranked& ranked : slice.clusters) {
      decisions.push_back({.cluster = wish_.fleet.name(ranked.cluster)});
      if (writes_scores_ && ranked.total != 0) decisions.back().score = ranked.total;
    }
    return decisions;
  }

  // By name: one that lost its label, or never had it, is taken over as it is.
  const api::PlacementDecision* find(std::size_t slice) const {
    return wish_.fleet.decisions().find({wish_.placement.key.ns, wish_.slices[slice].name});
  }

  // (group name, cluster) over all objects: what must not wait for the rate limit.
  using Membership = std::multiset<std::pair<std::string, std::string>>;

  bool must_hold_scores() {
    const api::Placement& placement = wish_.placement.placement;
    if (!placement.status.last_score_update) return false;
    const Time next = *placement.status.last_score_update + placement.score_rate_limit;
    if (wish_.now >= next || existing_.size() != wish_.slices.size()) return false;
    Membership is;
    Membership wanted;
    bool differs = false;
    for (std::size_t i = 0; i < wish_.slices.size(); ++i) {
      const api::PlacementDecision* object = find(i);
      if (!object || object->decisions.size() != wanted_[i].size()) return false;
      differs = differs || object->decisions != wanted_[i];
      const std::string group(object->facts.label(api::kDecisionGroupNameLabel));
      for (const auto& decision : object->decisions) is.emplace(group, decision.cluster);
      for (const auto& decision : wanted_[i]) {
        wanted.emplace(wish_.slices[i].group_name, decision.cluster);
      }
    }
    if (is != wanted || !differs) return false;
    result_.held_until = next;
    return true;
  }

  std::vector<std::size_t> order() const {
    std::vector<Rewrite> rewrites;
    for (std::size_t i = 0; i < wish_.slices.size(); ++i) {
      const api::PlacementDecision* object = find(i);
      rewrites.push_back({});
      if (!wish_.options.grow_before_shrink) continue;  // Then nothing moves and the order stays.
      if (object) rewrites.back().before = names_of(object->decisions);
      rewrites.back().after = names_of(wanted_[i]);
    }
    return growing_first(rewrites);
  }

  void write(std::size_t i) {
    const api::PlacementDecision* object = find(i);
    if (!object) {
      create(i);
      if (!wanted_[i].empty()) patch_status(i, nullptr);
      return;
    }
    const bool has_labels =
        object->facts.labels == wanted_labels(wish_.placement.key, wish_.slices[i]);
    const bool has_status = object->decisions == wanted_[i] || holds_scores_;
    if (!has_status) patch_status(i, object);
    if (has_labels) return;
    if (has_status || wish_.options.labels_with_status) {
      patch_labels(i, *object);
    } else {
      result_.runs_again = true;
    }
  }

  void create(std::size_t i) {
    const DecisionSlice& slice = wish_.slices[i];
    result_.writes.push_back({.kind = PlannedWrite::Kind::CreateDecision,
                              .name = slice.name,
                              .body = new_decision(wish_.placement.placement, slice),
                              .notices = {decision_created(wish_.placement.key, slice.name)}});
  }

  void patch_status(std::size_t i, const api::PlacementDecision* object) {
    const DecisionSlice& slice = wish_.slices[i];
    PlannedWrite write{
        .kind = PlannedWrite::Kind::PatchDecisionStatus,
        .name = slice.name,
        .body = status_patch(object, wanted_[i]),
        .follows_previous = object == nullptr,
        .notices = {decision_updated(wish_.placement.key, slice.name, wish_.outcome)}};
    if (!wish_.schedule.feasible.empty()) write.notices.push_back(scores_notice());
    result_.writes.push_back(std::move(write));
    if (!writes_scores_) return;
    result_.score_update = wish_.now.truncated_to_seconds();
    // Scores count who was chosen before, and these are others now.
    result_.runs_again =
        result_.runs_again || !object || names_of(object->decisions) != names_of(wanted_[i]);
  }

  void patch_labels(std::size_t i, const api::PlacementDecision& object) {
    const auto wanted = wanted_labels(wish_.placement.key, wish_.slices[i]);
    json::Value labels = to_json(wanted);
    for (const api::Label& label : object.facts.labels) {
      if (!labels.find(label.key)) labels[label.key] = nullptr;  // Foreign ones go.
    }
    const bool follows = !result_.writes.empty() && result_.writes.back().name == object.facts.name;
    json::Value metadata = follows ? json::Value::object() : identity(&object);
    metadata["labels"] = std::move(labels);
    result_.writes.push_back({.kind = PlannedWrite::Kind::PatchDecisionLabels,
                              .name = object.facts.name,
                              .body = json::Value::object({{"metadata", std::move(metadata)}}),
                              .follows_previous = follows});
  }

  void erase(const api::PlacementDecision& object) {
    const std::string& name = object.facts.name;
    result_.writes.push_back({.kind = PlannedWrite::Kind::DeleteDecision,
                              .name = name,
                              .body = json::Value::object({{"metadata", identity(&object)}}),
                              .notices = {decision_deleted(wish_.placement.key, name)}});
  }

  const Notice& scores_notice() {
    if (!scores_notice_) scores_notice_ = score_updated(wish_.schedule, wish_.fleet);
    return *scores_notice_;
  }

  const DecisionWish& wish_;
  bool writes_scores_ = false;
  bool holds_scores_ = false;
  std::map<std::string, const api::PlacementDecision*> existing_;
  std::vector<std::vector<api::ClusterDecision>> wanted_;  // For each slice.
  std::optional<Notice> scores_notice_;
  DecisionWrites result_;
};

}  // namespace

KeptDecisions keep_decisions(const CompiledPlacement& placement, const FleetView& fleet,
                             const Schedule& schedule) {
  ClusterBits allowed;
  for (const ClusterIndex cluster : schedule.allowed) allowed.set(cluster);
  KeptDecisions kept;
  for (const api::PlacementDecision* object : fleet.decisions().objects_of(placement.key)) {
    std::vector<api::ClusterDecision> rest = object->decisions;
    std::erase_if(rest, [&](const api::ClusterDecision& decision) {
      const auto cluster = fleet.clusters().find(decision.cluster);
      return !cluster || !allowed.test(*cluster);
    });
    const std::string& name = object->facts.name;
    kept.counts[name] = static_cast<std::int32_t>(rest.size());
    if (rest.size() == object->decisions.size()) continue;
    kept.writes.push_back({.kind = PlannedWrite::Kind::PatchDecisionStatus,
                           .name = name,
                           .body = status_patch(object, rest),
                           .notices = {decision_updated(placement.key, name, schedule.outcome)}});
  }
  return kept;
}

DecisionWrites write_decisions(const DecisionWish& wish) { return Writing(wish).run(); }

}  // namespace berth::placement

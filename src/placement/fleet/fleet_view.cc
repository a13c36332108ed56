#include "placement/fleet/fleet_view.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <span>
#include <utility>

namespace berth::placement {
namespace {

// Keys that are in only one of the two lists, or in both with different values.
std::vector<std::string> changed_keys(std::vector<api::Label> before,
                                      std::span<const api::Label> after) {
  std::ranges::sort(before);
  std::vector<api::Label> sorted(after.begin(), after.end());
  std::ranges::sort(sorted);
  std::vector<api::Label> different;
  std::ranges::set_symmetric_difference(before, sorted, std::back_inserter(different));
  std::set<std::string> keys;
  for (api::Label& label : different) keys.insert(std::move(label.key));
  return {keys.begin(), keys.end()};
}

bool same_amount(double before, const std::optional<double>& after) {
  return std::isnan(before) ? !after.has_value() : after == before;
}

// Every write changes these two, and no expression has a use for them.
bool is_bookkeeping(std::string_view name) {
  return name == "resourceVersion" || name == "managedFields";
}

bool same_metadata(const json::Value& a, const json::Value& b) {
  const auto covers = [](const json::Value& one, const json::Value& other) {
    return std::ranges::all_of(one.members(), [&other](const json::Member& member) {
      const json::Value* twin = other.find(member.name());
      return is_bookkeeping(member.name()) || (twin && *twin == member.value);
    });
  };
  return covers(a, b) && covers(b, a);
}

bool same_object(const json::Value& a, const json::Value& b) {
  const auto covers = [](const json::Value& one, const json::Value& other) {
    return std::ranges::all_of(one.members(), [&other](const json::Member& member) {
      const json::Value* twin = other.find(member.name());
      if (!twin) return false;
      return member.name() == "metadata" ? same_metadata(member.value, *twin)
                                         : member.value == *twin;
    });
  };
  return covers(a, b) && covers(b, a);
}

std::vector<api::Label> score_texts(const ScoreReport* report, const Symbols& symbols) {
  std::vector<api::Label> texts;
  if (!report) return texts;
  for (const ScoreReport::Item& item : report->items) {
    texts.push_back({.key = symbols.text(item.name), .value = std::to_string(item.value)});
  }
  return texts;
}

std::vector<api::Label> score_texts(const api::AddOnPlacementScore& score) {
  std::vector<api::Label> texts;
  for (const auto& item : score.scores) {
    texts.push_back({.key = item.name, .value = std::to_string(item.value)});
  }
  return texts;
}

}  // namespace

ClusterChange FleetView::difference(const Cluster& cluster, ClusterIndex index,
                                    const api::ManagedCluster* next) const {
  static const api::ManagedCluster kGone;
  const bool exists_next = next != nullptr;
  if (!next) next = &kGone;
  ClusterChange change;
  change.sets_before = sets_.sets_of(index);
  change.labels = changed_keys(cluster.labels.texts(symbols_), next->facts.labels);
  change.claims = changed_keys(cluster.claims.texts(symbols_), next->claims);
  change.availability =
      cluster.exists != exists_next || cluster.is_deleting != next->facts.is_deleting;
  change.taints = cluster.taints != next->taints;
  change.cpu = !same_amount(clusters_.allocatable(Resource::Cpu, index), next->allocatable_cpu);
  change.memory =
      !same_amount(clusters_.allocatable(Resource::Memory, index), next->allocatable_memory);
  return change;
}

ClusterChange FleetView::put_cluster(const api::ManagedCluster& cluster,
                                     std::shared_ptr<const json::Value> object) {
  const ClusterIndex index = clusters_.acquire(cluster.facts.name);
  const Cluster& facts = clusters_[index];
  ClusterChange change = difference(facts, index, &cluster);
  change.object = !facts.object || !object || !same_object(*facts.object, *object);
  const bool existed = facts.exists;
  clusters_.set_cluster(index, cluster, std::move(object), symbols_);
  if (existed) clusters_.release(index);  // The one that was put before holds it already.
  sets_.update(index, clusters_[index]);
  change.sets_after = sets_.sets_of(index);
  return change;
}

ClusterChange FleetView::remove_cluster(std::string_view name) {
  const auto index = clusters_.find(name);
  if (!index || !clusters_[*index].exists) return {};
  ClusterChange change = difference(clusters_[*index], *index, nullptr);
  change.object = true;
  clusters_.clear_cluster(*index, symbols_);
  sets_.update(*index, clusters_[*index]);
  clusters_.release(*index);
  return change;
}

ScoreChange FleetView::put_score(const api::AddOnPlacementScore& score) {
  const ClusterIndex index = clusters_.acquire(score.facts.object_namespace);
  const ScoreReport* before = clusters_[index].find_report(symbols_.find(score.facts.name));
  ScoreChange change{.sets = sets_.sets_of(index),
                     .resource = score.facts.name,
                     .scores = changed_keys(score_texts(before, symbols_), score_texts(score)),
                     .validity = !before || before->valid_until != score.valid_until};
  const bool existed = before != nullptr;
  clusters_.set_report(index, score, symbols_);
  if (existed) clusters_.release(index);
  return change;
}

ScoreChange FleetView::remove_score(std::string_view cluster, std::string_view resource) {
  const auto index = clusters_.find(cluster);
  if (!index) return {};
  const ScoreReport* before = clusters_[*index].find_report(symbols_.find(resource));
  if (!before) return {};
  ScoreChange change{.sets = sets_.sets_of(*index),
                     .resource = std::string(resource),
                     .scores = changed_keys(score_texts(before, symbols_), {}),
                     .validity = true};
  clusters_.clear_report(*index, resource, symbols_);
  clusters_.release(*index);
  return change;
}

SetChange FleetView::put_set(const api::ManagedClusterSet& set) {
  return {.set = set.facts.name, .matters = sets_.put(set, clusters_, symbols_)};
}

SetChange FleetView::remove_set(std::string_view name) {
  return {.set = std::string(name), .matters = sets_.remove(name, symbols_)};
}

BindingChange FleetView::put_binding(const api::ManagedClusterSetBinding& binding) {
  return {.object_namespace = binding.facts.object_namespace,
          .set = binding.facts.name,
          .matters = sets_.bind(binding.facts.object_namespace, binding.facts.name)};
}

BindingChange FleetView::remove_binding(std::string_view object_namespace, std::string_view name) {
  return {.object_namespace = std::string(object_namespace),
          .set = std::string(name),
          .matters = sets_.unbind(object_namespace, name)};
}

DecisionChange FleetView::put_decision(api::PlacementDecision decision) {
  return {.placements = decisions_.put(std::move(decision), clusters_)};
}

DecisionChange FleetView::remove_decision(std::string_view object_namespace,
                                          std::string_view name) {
  return {.placements =
              decisions_.remove({std::string(object_namespace), std::string(name)}, clusters_)};
}

std::optional<std::string_view> FleetView::text_of(const LabelIds& ids,
                                                   std::string_view key) const {
  const Symbol symbol = symbols_.find(key);
  const Symbol value = symbol == kNoSymbol ? kNoSymbol : ids.find(symbol);
  if (value == kNoSymbol) return std::nullopt;
  return symbols_.text(value);
}

std::optional<std::string_view> FleetView::label(ClusterIndex cluster, std::string_view key) const {
  return text_of(clusters_[cluster].labels, key);
}

std::optional<std::string_view> FleetView::claim(ClusterIndex cluster,
                                                 std::string_view name) const {
  return text_of(clusters_[cluster].claims, name);
}

}  // namespace berth::placement

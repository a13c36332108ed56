#include "placement/waking/dependencies.h"

#include <algorithm>
#include <iterator>
#include <variant>

#include <fmt/format.h>

namespace berth::placement {
namespace {

constexpr std::string_view kObjectTopic = "object";

std::string_view allocatable_topic(Resource resource) {
  return resource == Resource::Cpu ? "cpu" : "memory";
}

std::string score_topic(std::string_view resource, std::string_view score) {
  return fmt::format("score {}/{}", resource, score);
}

}  // namespace

Reads find_reads(const CompiledPlacement& placement, const Options& options) {
  Reads reads;
  for (const auto& filter : placement.filters) reads.add(filter->reads(placement));
  for (const auto& [prioritizer, weight] : placement.prioritizers) reads.add(prioritizer->reads());
  for (const api::DecisionGroup& group : placement.placement.groups) {
    if (group.selector.labels.ok()) reads.add_labels(*group.selector.labels);
    if (group.selector.claims.ok()) reads.add_claims(*group.selector.claims);
  }
  for (const api::SpreadConstraint& constraint : placement.placement.spread) {
    if (!options.spread_policy) break;
    const bool by_label = constraint.key_type == api::SpreadConstraint::KeyType::Label;
    (by_label ? reads.labels : reads.claims).insert(constraint.topology_key);
  }
  return reads;
}

std::vector<std::string> Dependencies::topics(const Reads& reads) {
  std::vector<std::string> topics;
  for (const std::string& key : reads.labels) topics.push_back("label " + key);
  for (const std::string& name : reads.claims) topics.push_back("claim " + name);
  for (const Resource resource : reads.allocatable) {
    topics.emplace_back(allocatable_topic(resource));
  }
  if (reads.whole_objects) topics.emplace_back(kObjectTopic);
  if (reads.any_score) topics.emplace_back("any score");
  for (const std::string& name : reads.reports) topics.push_back("report " + name);
  for (const api::AddOnScore& score : reads.scores) {
    topics.push_back(score_topic(score.resource, score.score));
    topics.push_back("validity " + score.resource);
  }
  return topics;
}

void Dependencies::put(const CompiledPlacement& placement, const Options& options) {
  remove(placement.key);
  const auto& sets = placement.placement.cluster_sets;
  Entry entry{.cluster_sets = {sets.begin(), sets.end()}, .reads = find_reads(placement, options)};
  for (std::string& topic : topics(entry.reads)) {
    readers_[std::move(topic)].insert(placement.key);
  }
  entries_.insert_or_assign(placement.key, std::move(entry));
}

void Dependencies::remove(const api::ObjectKey& placement) {
  const auto found = entries_.find(placement);
  if (found == entries_.end()) return;
  for (const std::string& topic : topics(found->second.reads)) {
    const auto readers = readers_.find(topic);
    if (readers == readers_.end()) continue;
    readers->second.erase(placement);
    if (readers->second.empty()) readers_.erase(readers);
  }
  entries_.erase(found);
}

bool Dependencies::reads_whole_objects() const { return readers_.contains(kObjectTopic); }

std::vector<api::ObjectKey> Dependencies::affected(const FleetChange& change,
                                                   const SetTable& sets) const {
  Keys keys;
  std::visit([&](const auto& one) { add(one, sets, keys); }, change);
  return {keys.begin(), keys.end()};
}

bool Dependencies::sees(const api::ObjectKey& key, std::string_view set,
                        const SetTable& sets) const {
  const Entry& entry = entries_.at(key);
  if (!entry.cluster_sets.empty() && !entry.cluster_sets.contains(set)) return false;
  return sets.bound_in(key.ns).contains(set);
}

void Dependencies::add_viewers(std::string_view set, const SetTable& sets, Keys& keys) const {
  for (const std::string& object_namespace : sets.namespaces_of(set)) {
    for (auto entry = entries_.lower_bound({object_namespace, ""});
         entry != entries_.end() && entry->first.ns == object_namespace; ++entry) {
      if (entry->second.cluster_sets.empty() || entry->second.cluster_sets.contains(set)) {
        keys.insert(entry->first);
      }
    }
  }
}

void Dependencies::add_readers(std::string_view topic, const std::vector<std::string>& in_sets,
                               const SetTable& sets, Keys& keys) const {
  const auto readers = readers_.find(topic);
  if (readers == readers_.end()) return;
  for (const api::ObjectKey& key : readers->second) {
    const bool sees_it =
        std::ranges::any_of(in_sets, [&](const std::string& set) { return sees(key, set, sets); });
    if (sees_it) keys.insert(keys.end(), key);
  }
}

void Dependencies::add(const ClusterChange& change, const SetTable& sets, Keys& keys) const {
  std::vector<std::string> all;
  std::vector<std::string> moved;
  std::ranges::set_union(change.sets_before, change.sets_after, std::back_inserter(all));
  std::ranges::set_symmetric_difference(change.sets_before, change.sets_after,
                                        std::back_inserter(moved));
  const bool concerns_everybody = change.availability || change.taints;
  for (const std::string& set : concerns_everybody ? all : moved) add_viewers(set, sets, keys);
  if (concerns_everybody) return;

  for (const std::string& key : change.labels) add_readers("label " + key, all, sets, keys);
  for (const std::string& name : change.claims) add_readers("claim " + name, all, sets, keys);
  if (change.cpu) add_readers(allocatable_topic(Resource::Cpu), all, sets, keys);
  if (change.memory) add_readers(allocatable_topic(Resource::Memory), all, sets, keys);
  if (change.object) add_readers(kObjectTopic, all, sets, keys);
}

void Dependencies::add(const ScoreChange& change, const SetTable& sets, Keys& keys) const {
  if (change.scores.empty() && !change.validity) return;
  add_readers("any score", change.sets, sets, keys);
  add_readers("report " + change.resource, change.sets, sets, keys);
  if (change.validity) add_readers("validity " + change.resource, change.sets, sets, keys);
  for (const std::string& score : change.scores) {
    add_readers(score_topic(change.resource, score), change.sets, sets, keys);
  }
}

bool Dependencies::has_eligible_set(const api::ObjectKey& key, const Entry& entry,
                                    const SetTable& sets) const {
  const auto& bound = sets.bound_in(key.ns);
  return std::ranges::any_of(entry.cluster_sets, [&](const std::string& set) {
    return bound.contains(set) && sets.find(set) != nullptr;
  });
}

void Dependencies::add_waiting(std::string_view object_namespace, std::string_view set,
                               const SetTable& sets, Keys& keys) const {
  for (auto entry = entries_.lower_bound({std::string(object_namespace), ""});
       entry != entries_.end() && entry->first.ns == object_namespace; ++entry) {
    const auto& wanted = entry->second.cluster_sets;
    if (wanted.empty() || wanted.contains(set) ||
        !has_eligible_set(entry->first, entry->second, sets)) {
      keys.insert(entry->first);
    }
  }
}

void Dependencies::add(const SetChange& change, const SetTable& sets, Keys& keys) const {
  if (!change.matters) return;
  for (const std::string& object_namespace : sets.namespaces_of(change.set)) {
    add_waiting(object_namespace, change.set, sets, keys);
  }
}

void Dependencies::add(const BindingChange& change, const SetTable& sets, Keys& keys) const {
  if (change.matters) add_waiting(change.object_namespace, change.set, sets, keys);
}

void Dependencies::add(const DecisionChange& change, const SetTable&, Keys& keys) const {
  for (const api::ObjectKey& key : change.placements) {
    if (entries_.contains(key)) keys.insert(key);
  }
}

}  // namespace berth::placement

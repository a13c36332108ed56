#include "placement/fleet/decision_table.h"

#include <algorithm>
#include <utility>

namespace berth::placement {

std::vector<api::ObjectKey> DecisionTable::put(api::PlacementDecision decision,
                                               ClusterTable& clusters) {
  const api::ObjectKey key{decision.facts.object_namespace, decision.facts.name};
  if (const api::PlacementDecision* known = find(key); known && *known == decision) return {};
  Entry next{.object = std::move(decision)};
  // The new names are taken up before the old ones are given up, so that indices stay.
  for (const api::ClusterDecision& entry : next.object.decisions) {
    next.clusters.push_back(clusters.acquire(entry.cluster));
    usage_.add(next.clusters.back());
  }
  std::vector<api::ObjectKey> placements = remove(key, clusters);
  const EntryPtr entry = std::make_shared<const Entry>(std::move(next));
  entries_[key] = entry;
  const api::ObjectKey owner{key.ns, std::string(entry->object.placement())};
  if (owner.name.empty()) return placements;
  by_placement_[owner][key.name] = entry;
  if (std::ranges::find(placements, owner) == placements.end()) placements.push_back(owner);
  return placements;
}

std::vector<api::ObjectKey> DecisionTable::remove(const api::ObjectKey& decision,
                                                  ClusterTable& clusters) {
  const auto found = entries_.find(decision);
  if (found == entries_.end()) return {};
  for (const ClusterIndex cluster : found->second->clusters) {
    usage_.remove(cluster);
    clusters.release(cluster);
  }
  const api::ObjectKey owner{decision.ns, std::string(found->second->object.placement())};
  entries_.erase(found);
  if (owner.name.empty()) return {};
  const auto siblings = by_placement_.find(owner);
  siblings->second.erase(decision.name);
  if (siblings->second.empty()) by_placement_.erase(siblings);
  return {owner};
}

const api::PlacementDecision* DecisionTable::find(const api::ObjectKey& decision) const {
  const auto found = entries_.find(decision);
  return found == entries_.end() ? nullptr : &found->second->object;
}

std::vector<const api::PlacementDecision*> DecisionTable::objects_of(
    const api::ObjectKey& placement) const {
  std::vector<const api::PlacementDecision*> objects;
  const auto found = by_placement_.find(placement);
  if (found == by_placement_.end()) return objects;
  for (const auto& [name, entry] : found->second) objects.push_back(&entry->object);
  return objects;
}

PastDecisions DecisionTable::past_decisions(const api::ObjectKey& placement) const {
  PastDecisions past;
  const auto found = by_placement_.find(placement);
  if (found == by_placement_.end()) return past;
  for (const auto& [name, entry] : found->second) {
    for (const ClusterIndex cluster : entry->clusters) {
      past.named.push_back(cluster);
      past.clusters.set(cluster);
    }
  }
  return past;
}

}  // namespace berth::placement

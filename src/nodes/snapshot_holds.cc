// The part of the snapshot that is about holds. Tested by snapshot_holds_test.cc.
#include <algorithm>
#include <set>
#include <tuple>

#include "base/hash.h"
#include "json/print.h"
#include "nodes/annotation_holds.h"
#include "nodes/snapshot.h"

namespace berth::nodes {

// Whether what they say is not what they said before.
bool Snapshot::put_annotation_holds(const json::Value& object, NodeChange& change) {
  const NodeSlot node = change.node;
  const json::Value* annotations = object.find_path({"metadata", "annotations"});
  std::uint64_t hash = kHashStart;
  for (const json::Member& annotation :
       annotations ? annotations->members() : std::span<const json::Member>()) {
    if (!annotation.name().starts_with("reserve.")) continue;
    hash = hash64(annotation.value.string_or_empty(), hash64(annotation.name(), hash));
  }
  if (hash == kHashStart) hash = 0;  // None of ours, as on a new node.
  if (hash == entries_[node].annotations_hash) return false;
  entries_[node].annotations_hash = hash;
  AnnotationHolds read = read_annotation_holds(object);
  for (const std::string& id : std::vector<std::string>(entries_[node].holds)) {
    if (holds_.find(id)->second.source != Hold::Source::Annotation) continue;
    unlink_hold(id);
    holds_.erase(id);
  }
  for (const Hold& hold : read.holds) link_hold(hold);
  refresh_holds(node);
  change.problems = std::move(read.problems);
  return true;
}

void Snapshot::link_hold(const Hold& hold) {
  Entry& entry = entries_[slot_of(hold.node)];
  entry.holds.insert(std::ranges::upper_bound(entry.holds, hold.id), hold.id);
  holds_of_[hold.owner_uid].push_back(hold.id);
  holds_.insert_or_assign(hold.id, hold);
}

std::optional<NodeSlot> Snapshot::unlink_hold(std::string_view id) {
  const auto found = holds_.find(id);
  if (found == holds_.end()) return std::nullopt;
  const Hold& hold = found->second;
  const NodeSlot node = slots_.find(hold.node)->second;
  std::erase(entries_[node].holds, hold.id);
  // What points to the hold must not outlive it.
  std::erase_if(entries_[node].standing,
                [&hold](const StandingHold& standing) { return standing.hold == &hold; });
  const auto owned = holds_of_.find(hold.owner_uid);
  std::erase(owned->second, hold.id);
  if (owned->second.empty()) holds_of_.erase(owned);
  return node;
}

std::vector<Snapshot::NodeChange> Snapshot::put_hold(const Hold& hold) {
  const auto known = holds_.find(hold.id);
  if (known != holds_.end() && known->second == hold) return {};
  std::vector<NodeChange> changes = remove_hold(hold.id);
  link_hold(hold);
  refresh_holds(slot_of(hold.node));
  return changes;
}

std::vector<Snapshot::NodeChange> Snapshot::remove_hold(std::string_view id) {
  const std::optional<NodeSlot> node = unlink_hold(id);
  if (!node) return {};
  holds_.erase(holds_.find(id));
  refresh_holds(*node);
  const bool is_there = entries_[*node].is_known;
  release_if_empty(*node);
  if (!is_there) return {};
  return {{.node = *node, .has_more_room = true}};
}

std::vector<Snapshot::NodeChange> Snapshot::put_owner(const json::Value& replica_set) {
  if (!owners_.put(replica_set)) return {};
  // Pods may have turned out to be those of an annotation's owner.
  std::set<NodeSlot> concerned;
  for (const auto& [id, hold] : holds_) {
    if (hold.source == Hold::Source::Annotation) concerned.insert(slots_.find(hold.node)->second);
  }
  std::vector<NodeChange> changes;
  for (const NodeSlot node : concerned) {
    refresh_holds(node);
    changes.push_back({.node = node, .has_more_room = true});
  }
  return changes;
}

void Snapshot::remove_owner(std::string_view uid) { owners_.remove(uid); }

// Of an owner's annotations as many are used as pods of it are bound here, the first ones first.
bool Snapshot::is_used(const Entry& entry, const Hold& hold, ByText<std::size_t>& bound) const {
  if (hold.source == Hold::Source::Reservation) return claims_.contains(hold.id);
  auto [pods, is_first] = bound.try_emplace(hold.owner_uid, 0);
  if (is_first) {
    for (const std::string& uid : entry.pods) {
      const BoundPod& pod = pods_.find(uid)->second;
      const bool is_of_owner =
          !pod.owner_uid.empty() &&
          (pod.owner_uid == hold.owner_uid || owners_.root_of(pod.owner_uid) == hold.owner_uid);
      if (is_of_owner) ++pods->second;
    }
  }
  if (pods->second == 0) return false;
  --pods->second;
  return true;
}

void Snapshot::refresh_holds(NodeSlot node) {
  Entry& entry = entries_[node];
  entry.standing.clear();
  if (entry.holds.empty()) return;
  ByText<std::size_t> bound;
  for (const std::string& id : entry.holds) {
    const Hold& hold = holds_.find(id)->second;
    const bool is_of_another_node =
        !hold.node_uid.empty() && entry.is_known && hold.node_uid != entry.facts.uid;
    if (is_of_another_node || is_used(entry, hold, bound)) continue;
    StandingHold standing{
        .hold = &hold, .needs = columns_.resolve(hold.resources).needs, .ports = hold.ports};
    const BoundPod* predecessor = find_pod(hold.predecessor_uid);
    if (predecessor && predecessor->node == node) {
      standing.needs = minus(standing.needs, predecessor->needs);
      std::erase_if(standing.ports, [&predecessor](const HostPort& port) {
        return std::ranges::find(predecessor->ports, port) != predecessor->ports.end();
      });
    }
    entry.standing.push_back(std::move(standing));
  }
}

bool Snapshot::is_claimable(const Hold& hold, const Claimant& pod) const {
  const bool is_of_owner = !hold.owner_uid.empty() &&
                           (pod.root_uid == hold.owner_uid || pod.owner_uid == hold.owner_uid);
  return is_of_owner && (hold.successor_name.empty() || hold.successor_name == pod.name);
}

// Its own by name, then the smallest that is enough, then the oldest. What a hold keeps at the
// moment counts: one whose predecessor is still there is no room to move into.
const StandingHold* Snapshot::claim_on(NodeSlot node, const Claimant& pod) const {
  const StandingHold* best = nullptr;
  const auto is_better = [&pod](const StandingHold& a, const StandingHold& b) {
    const auto rank = [&pod](const StandingHold& standing) {
      const bool is_named = !standing.hold->successor_name.empty();
      const bool is_enough = covers(standing.needs, pod.needs);
      const std::int64_t cpu = amount_in(standing.needs, kCpu);
      const std::int64_t memory = amount_in(standing.needs, kMemory);
      // Of those that are not enough the largest helps most.
      return std::tuple(!is_named, !is_enough, is_enough ? cpu : -cpu,
                        is_enough ? memory : -memory);
    };
    return std::tuple(rank(a), a.hold->created, std::string_view(a.hold->id)) <
           std::tuple(rank(b), b.hold->created, std::string_view(b.hold->id));
  };
  for (const StandingHold& standing : entries_[node].standing) {
    if (!is_claimable(*standing.hold, pod)) continue;
    if (!best || is_better(standing, *best)) best = &standing;
  }
  return best;
}

std::vector<NodeSlot> Snapshot::claimable_nodes(const Claimant& pod) const {
  std::vector<NodeSlot> nodes;
  for (const std::string_view owner : {pod.root_uid, pod.owner_uid}) {
    const auto owned = owner.empty() ? holds_of_.end() : holds_of_.find(owner);
    if (owned == holds_of_.end()) continue;
    for (const std::string& id : owned->second) {
      const Hold& hold = holds_.find(id)->second;
      const std::optional<NodeSlot> node = find_node(hold.node);
      if (node && is_claimable(hold, pod)) nodes.push_back(*node);
    }
  }
  std::ranges::sort(nodes);
  nodes.erase(std::ranges::unique(nodes).begin(), nodes.end());
  return nodes;
}

std::optional<Time> Snapshot::next_expiry() const {
  std::optional<Time> next;
  for (const auto& [id, hold] : holds_) {
    if (hold.expires && (!next || *hold.expires < *next)) next = hold.expires;
  }
  return next;
}

std::vector<std::string> Snapshot::expired_holds(Time now) const {
  std::vector<std::string> expired;
  for (const auto& [id, hold] : holds_) {
    if (hold.expires && *hold.expires <= now) expired.push_back(id);
  }
  return expired;
}

}  // namespace berth::nodes

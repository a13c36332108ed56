#include "nodes/snapshot.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "api/kinds/node.h"
#include "api/metadata.h"

namespace berth::nodes {
namespace {

__extension__ using Wide = __int128;

std::int64_t clamped(Wide number) {
  constexpr Wide kMin = std::numeric_limits<std::int64_t>::min();
  constexpr Wide kMax = std::numeric_limits<std::int64_t>::max();
  return static_cast<std::int64_t>(std::clamp(number, kMin, kMax));
}

template <typename T>
void erase_one(std::vector<T>& list, const T& item) {
  const auto found = std::ranges::find(list, item);
  if (found != list.end()) list.erase(found);
}

}  // namespace

Snapshot::Snapshot() : free_(columns_.size()), allocatable_(columns_.size()) {}

NodeSlot Snapshot::slot_of(std::string_view name) {
  if (const auto found = slots_.find(name); found != slots_.end()) return found->second;
  NodeSlot slot = 0;
  if (unused_.empty()) {
    slot = static_cast<NodeSlot>(entries_.size());
    entries_.emplace_back();
    place_in_live_.push_back(0);
    for (auto& column : free_) column.push_back(0);
    for (auto& column : allocatable_) column.push_back(0);
    scored_cpu_.push_back(0);
    scored_memory_.push_back(0);
  } else {
    slot = unused_.back();
    unused_.pop_back();
    entries_[slot] = {};
  }
  entries_[slot].facts.name = name;
  entries_[slot].used.resize(columns_.size());
  entries_[slot].allocatable.resize(columns_.size());
  slots_.emplace(std::string(name), slot);
  return slot;
}

void Snapshot::release_if_empty(NodeSlot node) {
  Entry& entry = entries_[node];
  if (entry.is_known || !entry.pods.empty() || !entry.holds.empty()) return;
  slots_.erase(entry.facts.name);
  entry = {};
  unused_.push_back(node);
}

void Snapshot::make_columns(const api::ResourceList& allocatable) {
  const std::size_t before = columns_.size();
  for (const api::ResourceAmount& resource : allocatable.entries()) columns_.make(resource.name);
  if (columns_.size() == before) return;
  free_.resize(columns_.size(), std::vector<std::int64_t>(entries_.size()));
  allocatable_.resize(columns_.size(), std::vector<std::int64_t>(entries_.size()));
  for (Entry& entry : entries_) {
    entry.used.resize(columns_.size());
    entry.allocatable.resize(columns_.size());
  }
  resolve_unknown();
}

// A resource has come into being: who asked for it in vain before is charged for it now.
void Snapshot::resolve_unknown() {
  for (const std::string& uid : std::exchange(with_unknown_, {})) {
    BoundPod& pod = pods_.find(uid)->second;
    charge(pod, Sign::Withdraw);
    for (api::ResourceAmount& asked : std::exchange(pod.unknown, {})) {
      const auto column = columns_.find(asked.name);
      if (!column) {
        pod.unknown.push_back(std::move(asked));
        continue;
      }
      pod.needs.push_back({*column, columns_.amount_of(*column, asked.amount)});
    }
    std::ranges::sort(pod.needs, {}, &Need::column);
    charge(pod, Sign::Add);
    if (!pod.unknown.empty()) with_unknown_.push_back(uid);
    publish(pod.node);
  }
  for (NodeSlot node = 0; node < entries_.size(); ++node) {
    if (!entries_[node].holds.empty()) refresh_holds(node);
  }
}

void Snapshot::add_live(NodeSlot node) {
  place_in_live_[node] = live_.size();
  live_.push_back(node);
}

void Snapshot::drop_live(NodeSlot node) {
  const std::size_t place = place_in_live_[node];
  live_[place] = live_.back();
  place_in_live_[live_[place]] = place;
  live_.pop_back();
}

Result<Snapshot::NodeChange> Snapshot::put_node(const json::Value& object) {
  const api::Metadata metadata(object);
  auto read = api::Node::from_json(object);
  if (!read.ok()) {
    remove_node(metadata.name());
    return failure(std::move(read).error());
  }
  const NodeSlot node = slot_of(read->name);
  make_columns(read->allocatable);
  Entry& entry = entries_[node];
  const bool is_new = !entry.is_known;
  NodeFacts facts{.name = std::move(read->name),
                  .uid = std::string(metadata.uid()),
                  .labels = std::move(read->labels),
                  .taints = std::move(read->taints),
                  .unschedulable = read->unschedulable};
  for (api::Taint& taint : facts.taints) taint.time_added.reset();  // Nothing here depends on it.
  NodeChange change{.node = node, .facts_changed = is_new || facts != entry.facts};
  const bool was_replaced = facts.uid != entry.facts.uid;
  entry.facts = std::move(facts);
  entry.is_known = true;
  if (is_new) add_live(node);
  std::vector<std::int64_t> allocatable(columns_.size());
  for (const api::ResourceAmount& amount : read->allocatable.entries()) {
    const Column column = *columns_.find(amount.name);
    allocatable[column] = columns_.amount_of(column, amount.amount);
    change.has_more_room |= allocatable[column] > entry.allocatable[column];
  }
  entry.allocatable = std::move(allocatable);
  publish(node);
  const bool holds_changed = put_annotation_holds(object, change);
  if (was_replaced) refresh_holds(node);
  change.has_more_room |= holds_changed || was_replaced;
  return change;
}

void Snapshot::remove_node(std::string_view name) {
  const auto found = slots_.find(name);
  if (found == slots_.end() || !entries_[found->second].is_known) return;
  const NodeSlot node = found->second;
  Entry& entry = entries_[node];
  drop_live(node);
  for (const std::string& hold : std::vector<std::string>(entry.holds)) {
    if (holds_.find(hold)->second.source != Hold::Source::Annotation) continue;
    unlink_hold(hold);
    holds_.erase(hold);
  }
  std::string kept_name = std::move(entry.facts.name);
  entry.facts = {.name = std::move(kept_name)};
  entry.is_known = false;
  entry.annotations_hash = 0;
  std::ranges::fill(entry.allocatable, 0);
  publish(node);
  refresh_holds(node);
  release_if_empty(node);
}

// Puts the sums of one node into the columns that are read for many nodes at once.
void Snapshot::publish(NodeSlot node) {
  const Entry& entry = entries_[node];
  for (Column column = 0; column < columns_.size(); ++column) {
    allocatable_[column][node] = entry.allocatable[column];
    free_[column][node] = clamped(Wide{entry.allocatable[column]} - entry.used[column]);
  }
  scored_cpu_[node] = clamped(entry.scored_cpu);
  scored_memory_[node] = clamped(entry.scored_memory);
}

void Snapshot::charge(const BoundPod& pod, Sign sign) {
  Entry& entry = entries_[pod.node];
  const Wide factor = static_cast<std::int8_t>(sign);
  for (const Need& need : pod.needs) entry.used[need.column] += factor * need.amount;
  entry.scored_cpu += factor * pod.scored_cpu;
  entry.scored_memory += factor * pod.scored_memory;
}

void Snapshot::attach(const BoundPod& pod) {
  Entry& entry = entries_[pod.node];
  charge(pod, Sign::Add);
  entry.pods.push_back(pod.uid);
  entry.ports.insert(entry.ports.end(), pod.ports.begin(), pod.ports.end());
  if (!pod.anti_affinity.empty()) repelling_.push_back(pod.uid);
  if (!pod.unknown.empty()) with_unknown_.push_back(pod.uid);
  if (!pod.claim.empty()) ++claims_[pod.claim];
  publish(pod.node);
}

void Snapshot::refresh_claimed(const std::string& claim) {
  const auto claimed = holds_.find(claim);
  if (claimed != holds_.end()) refresh_holds(slots_.find(claimed->second.node)->second);
}

std::optional<NodeSlot> Snapshot::detach(std::string_view uid) {
  const auto found = pods_.find(uid);
  if (found == pods_.end()) return std::nullopt;
  const BoundPod& pod = found->second;
  const NodeSlot node = pod.node;
  Entry& entry = entries_[node];
  charge(pod, Sign::Withdraw);
  erase_one(entry.pods, pod.uid);
  for (const HostPort& port : pod.ports) erase_one(entry.ports, port);
  if (!pod.anti_affinity.empty()) erase_one(repelling_, pod.uid);
  if (!pod.unknown.empty()) erase_one(with_unknown_, pod.uid);
  if (!pod.claim.empty()) {
    const auto claim = claims_.find(pod.claim);
    if (--claim->second == 0) claims_.erase(claim);
  }
  pods_.erase(found);
  publish(node);
  return node;
}

std::vector<Snapshot::NodeChange> Snapshot::put_pod(const PodFacts& facts) {
  if (facts.node.empty() || facts.is_terminal) return remove_pod(facts.uid);
  const NodeSlot node = slot_of(facts.node);
  auto [needs, unknown] = columns_.resolve(facts.requests);
  std::erase_if(needs, [](const Need& need) { return need.column == kPods; });
  needs.insert(std::ranges::upper_bound(needs, kPods, {}, &Need::column), {kPods, 1});
  BoundPod pod{.key = facts.key,
               .uid = facts.uid,
               .node = node,
               .needs = std::move(needs),
               .unknown = std::move(unknown),
               .scored_cpu = facts.scored_cpu,
               .scored_memory = facts.scored_memory,
               .ports = facts.ports,
               .owner_uid = facts.owner.uid,
               .claim = facts.claim,
               .priority = facts.priority,
               .anti_affinity = facts.anti_affinity};
  const BoundPod* before = find_pod(facts.uid);
  const bool is_same = before && before->node == node && before->needs == pod.needs &&
                       before->unknown == pod.unknown && before->ports == pod.ports &&
                       before->claim == pod.claim && before->owner_uid == pod.owner_uid;
  if (is_same) return {};
  const std::optional<NodeSlot> left = detach(facts.uid);
  attach(pods_.insert_or_assign(facts.uid, std::move(pod)).first->second);
  refresh_holds(node);
  refresh_claimed(facts.claim);
  std::vector<NodeChange> changes;
  if (left) changes.push_back({.node = *left, .has_more_room = true});
  if (left && *left != node) {
    refresh_holds(*left);
    release_if_empty(*left);
  }
  return changes;
}

std::vector<Snapshot::NodeChange> Snapshot::remove_pod(std::string_view uid) {
  const BoundPod* pod = find_pod(uid);
  const std::string claim = pod ? pod->claim : "";
  const std::optional<NodeSlot> node = detach(uid);
  if (!node) return {};
  refresh_holds(*node);
  refresh_claimed(claim);
  const bool is_there = entries_[*node].is_known;
  release_if_empty(*node);
  if (!is_there) return {};
  return {{.node = *node, .has_more_room = true}};
}

std::optional<NodeSlot> Snapshot::find_node(std::string_view name) const {
  const auto found = slots_.find(name);
  if (found == slots_.end() || !entries_[found->second].is_known) return std::nullopt;
  return found->second;
}

const BoundPod* Snapshot::find_pod(std::string_view uid) const {
  const auto found = pods_.find(uid);
  return found == pods_.end() ? nullptr : &found->second;
}

std::vector<std::string> Snapshot::pod_uids() const {
  std::vector<std::string> uids;
  for (const Entry& entry : entries_) uids.insert(uids.end(), entry.pods.begin(), entry.pods.end());
  return uids;
}

std::vector<const BoundPod*> Snapshot::pods_on(NodeSlot node) const {
  std::vector<const BoundPod*> pods;
  for (const std::string& uid : entries_[node].pods) pods.push_back(find_pod(uid));
  std::ranges::sort(pods, {},
                    [](const BoundPod* pod) -> const api::ObjectKey& { return pod->key; });
  return pods;
}

}  // namespace berth::nodes

#include "nodes/rebuilding.h"

#include <algorithm>
#include <utility>

#include "api/kinds/node.h"
#include "api/metadata.h"

namespace berth::nodes {
namespace {

using json::Value;

template <typename Map>
void drop_from(Map& map, const std::string& key, const std::string& uid) {
  const auto found = map.find(key);
  if (found == map.end()) return;
  found->second.erase(uid);
  if (found->second.empty()) map.erase(found);
}

template <typename Map>
std::vector<std::string> keys_of(const Map& map) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : map) keys.push_back(key);
  return keys;
}

std::string_view kind_name(RebuildKind kind) {
  switch (kind) {
    case RebuildKind::ReplicaSets:
      return "ReplicaSet";
    case RebuildKind::Deployments:
      return "Deployment";
    case RebuildKind::StatefulSets:
      return "StatefulSet";
    case RebuildKind::Jobs:
      return "Job";
    default:
      return "";
  }
}

}  // namespace

Status Rebuilding::put(RebuildKind kind, const Value& object, Time now) {
  switch (kind) {
    case RebuildKind::Pods:
      return put_pod(object, now);
    case RebuildKind::Nodes:
      put_node(object);
      return {};
    case RebuildKind::Namespaces: {
      const api::Metadata metadata(object);
      namespaces_.insert_or_assign(std::string(metadata.name()),
                                   metadata.labels().find(kRebuildLabel) == "true");
      namespace_names_.insert_or_assign(std::string(metadata.uid()), std::string(metadata.name()));
      return {};
    }
    case RebuildKind::Reservations:
      return put_reservation(object);
    default:
      put_workload(kind_name(kind), object);
      workload_kinds_.insert_or_assign(std::string(api::Metadata(object).uid()), kind);
      return {};
  }
}

void Rebuilding::remove(RebuildKind kind, const std::string& uid, Time now) {
  switch (kind) {
    case RebuildKind::Pods: {
      const auto found = pods_.find(uid);
      if (found == pods_.end()) return;
      // It may have gone without anybody seeing it leave: then its room is kept now.
      OwnedPod pod = found->second;
      forget_pod(uid);
      const bool counts = !pod.node.empty() && !pod.has_succeeded && !has_reservation(pod);
      if (!counts) return;
      want_scale(pod);
      departed_.insert_or_assign(uid, Departed{std::move(pod), now});
      return;
    }
    case RebuildKind::Nodes: {
      const auto name = node_names_.find(uid);
      if (name == node_names_.end()) return;
      const auto node = nodes_.find(name->second);
      if (node != nodes_.end() && node->second.uid == uid) nodes_.erase(node);
      touch_node(name->second);
      node_names_.erase(name);
      return;
    }
    case RebuildKind::Namespaces:
      if (const auto name = namespace_names_.extract(uid)) namespaces_.erase(name.mapped());
      return;
    case RebuildKind::Reservations:
      return forget_reservation(uid);
    default:
      return forget_workload(uid);
  }
}

std::vector<std::string> Rebuilding::uids(RebuildKind kind) const {
  switch (kind) {
    case RebuildKind::Pods:
      return keys_of(pods_);
    case RebuildKind::Nodes:
      return keys_of(node_names_);
    case RebuildKind::Namespaces:
      return keys_of(namespace_names_);
    case RebuildKind::Reservations:
      return keys_of(reservations_);
    default: {
      std::vector<std::string> uids;
      for (const auto& [uid, its_kind] : workload_kinds_) {
        if (its_kind == kind) uids.push_back(uid);
      }
      return uids;
    }
  }
}

// --- Pods ----------------------------------------------------------------------------------------

std::string Rebuilding::root_of(const std::string& owner_uid) const {
  const auto owner = workloads_.find(owner_uid);
  if (owner == workloads_.end() || owner->second.controller.uid.empty()) return owner_uid;
  return owner->second.controller.uid;
}

Status Rebuilding::put_pod(const Value& object, Time now) {
  auto read = OwnedPod::from_json(object);
  const std::string uid(api::Metadata(object).uid());
  if (!read.ok()) {
    remove(RebuildKind::Pods, uid, now);
    return failure(std::move(read).error());
  }
  if (!*read) return {};
  OwnedPod pod = **std::move(read);
  const auto before = pods_.find(uid);
  const bool was_there = before != pods_.end() && !before->second.has_failed;
  if (pod.has_failed && was_there) seen_failing_.insert(uid);
  if (pod.is_leaving() || scaled_.contains(root_of(pod.owner.uid))) want_scale(pod);
  due_.insert(root_of(pod.owner.uid));
  pods_of_owner_[pod.owner.uid].insert(uid);
  pods_.insert_or_assign(uid, std::move(pod));
  return {};
}

void Rebuilding::forget_pod(const std::string& uid) {
  const auto found = pods_.find(uid);
  if (found == pods_.end()) return;
  due_.insert(root_of(found->second.owner.uid));
  drop_from(pods_of_owner_, found->second.owner.uid, uid);
  pods_.erase(found);
  seen_failing_.erase(uid);
  told_.erase(uid);
}

std::vector<const OwnedPod*> Rebuilding::pods_of(const std::string& root_uid) const {
  std::vector<const OwnedPod*> pods;
  const auto add = [&](const std::string& owner_uid) {
    const auto owned = pods_of_owner_.find(owner_uid);
    if (owned == pods_of_owner_.end()) return;
    for (const std::string& uid : owned->second) pods.push_back(&pods_.find(uid)->second);
  };
  add(root_uid);
  if (const auto sets = sets_of_.find(root_uid); sets != sets_of_.end()) {
    for (const std::string& set : sets->second) add(set);
  }
  return pods;
}

bool Rebuilding::wants_rebuild(const OwnedPod& pod) const {
  if (pod.wants_rebuild) return *pod.wants_rebuild;
  const auto found = namespaces_.find(pod.key.ns);
  return found != namespaces_.end() && found->second;
}

bool Rebuilding::has_reservation(const OwnedPod& pod) const {
  const api::ObjectKey key{pod.key.ns, reservation_name(pod.uid)};
  return reservation_keys_.contains(key) || under_way_.contains(key);
}

// --- Workloads -----------------------------------------------------------------------------------

void Rebuilding::put_workload(std::string_view kind, const Value& object) {
  Workload workload = Workload::from_json(kind, object);
  const std::string uid = workload.root.uid;
  if (const Workload* before = find_workload(uid)) drop_from(sets_of_, before->controller.uid, uid);
  if (!workload.controller.uid.empty()) sets_of_[workload.controller.uid].insert(uid);
  workloads_.insert_or_assign(uid, std::move(workload));
  due_.insert(root_of(uid));
}

void Rebuilding::forget_workload(const std::string& uid) {
  const Workload* workload = find_workload(uid);
  if (!workload) return;
  due_.insert(root_of(uid));
  drop_from(sets_of_, workload->controller.uid, uid);
  workloads_.erase(uid);
  workload_kinds_.erase(uid);
  misread_.erase(uid);
}

// If the root behind the pod is of a kind that nobody follows.
void Rebuilding::want_scale(const OwnedPod& pod) {
  if (!wants_rebuild(pod)) return;
  RootOwner root{.api_version = pod.owner.api_version,
                 .kind = pod.owner.kind,
                 .name = pod.owner.name,
                 .uid = pod.owner.uid};
  const Workload* owner = find_workload(root.uid);
  if (owner && !owner->controller.uid.empty()) root = owner->controller;
  if (!workload_api_version(root.kind).empty()) return;
  unscaled_.insert_or_assign(root.uid, std::pair(root, pod.key.ns));
}

void Rebuilding::put_scale(const RootOwner& owner, const Value& scale) {
  workloads_.insert_or_assign(owner.uid, Workload::from_scale(owner, scale));
  scaled_.insert(owner.uid);
  due_.insert(owner.uid);
}

void Rebuilding::drop_scale(const std::string& uid) {
  if (scaled_.erase(uid) == 0) return;
  workloads_.erase(uid);
  misread_.erase(uid);
  due_.insert(uid);
}

std::vector<std::pair<RootOwner, std::string>> Rebuilding::take_unscaled() {
  std::vector<std::pair<RootOwner, std::string>> owners;
  for (const auto& [uid, owner] : std::exchange(unscaled_, {})) owners.push_back(owner);
  return owners;
}

const Workload* Rebuilding::find_workload(const std::string& uid) const {
  const auto found = workloads_.find(uid);
  return found == workloads_.end() ? nullptr : &found->second;
}

// --- Nodes ---------------------------------------------------------------------------------------

void Rebuilding::touch_node(std::string_view node) {
  for (const auto& [uid, known] : reservations_) {
    if (known.reservation.node == node) due_.insert(known.reservation.owner.uid);
  }
}

void Rebuilding::put_node(const Value& object) {
  const api::Metadata metadata(object);
  NodeState state{.uid = std::string(metadata.uid())};
  // One whose amounts cannot be read takes nothing.
  if (auto node = api::Node::from_json(object); node.ok()) {
    state.takes_pods = node->ready && !node->unschedulable && !node->being_deleted;
    state.taints = std::move(node->taints);
    state.allocatable = std::move(node->allocatable);
  }
  const std::string name(metadata.name());
  node_names_.insert_or_assign(state.uid, name);
  nodes_.insert_or_assign(name, std::move(state));
  touch_node(name);
}

// --- Reservations --------------------------------------------------------------------------------

Status Rebuilding::put_reservation(const Value& object) {
  const std::string uid(api::Metadata(object).uid());
  forget_reservation(uid);
  auto read = Reservation::from_json(object);
  if (!read.ok()) return failure(std::move(read).error());
  under_way_.erase(read->key);
  reservation_keys_.insert(read->key);
  departed_.erase(read->predecessor_uid);
  reservations_of_[read->owner.uid].insert(uid);
  due_.insert(read->owner.uid);
  reservations_.insert_or_assign(uid, Known{.object = object, .reservation = *std::move(read)});
  return {};
}

void Rebuilding::forget_reservation(const std::string& uid) {
  const auto found = reservations_.find(uid);
  if (found == reservations_.end()) return;
  const Reservation& reservation = found->second.reservation;
  due_.insert(reservation.owner.uid);
  reservation_keys_.erase(reservation.key);
  drop_from(reservations_of_, reservation.owner.uid, uid);
  reservations_.erase(found);
}

void Rebuilding::on_create_failed(const api::ObjectKey& reservation) {
  const auto found = under_way_.find(reservation);
  if (found == under_way_.end()) return;
  due_.insert(found->second.owner.uid);
  under_way_.erase(found);
}

std::set<std::string> Rebuilding::take_due() { return std::exchange(due_, {}); }

}  // namespace berth::nodes

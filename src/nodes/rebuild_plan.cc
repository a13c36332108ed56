// Tested by rebuilding_test.cc. The part of rebuilding that decides.
#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "base/rfc3339.h"
#include "nodes/rebuilding.h"

namespace berth::nodes {
namespace {

using json::Value;

// How long a pod that went without a word may still get a reservation.
constexpr Duration kDepartedFor = std::chrono::seconds(30);

void look_at(std::optional<Time>& next, Time when) {
  if (!next || when < *next) next = when;
}

std::optional<Time> closed_since(const Value& object) {
  return api::time_field(api::field(object, "status"), "lastTransitionTime");
}

Value with_status(const Value& object, ReservationPhase phase, std::string_view reason,
                  const OwnedPod* bound, Time now) {
  Value after = object;
  Value& status = after["status"];
  status["phase"] = phase_name(phase);
  status["lastTransitionTime"] = format_seconds(now);
  if (reason.empty()) {
    status.erase("reason");
  } else {
    status["reason"] = reason;
  }
  if (bound) {
    status["boundPod"] =
        Value::object({{"name", bound->key.name}, {"uid", bound->uid}, {"node", bound->node}});
  }
  return after;
}

}  // namespace

// What one plan knows so far.
struct Rebuilding::Planning {
  const std::string& root_uid;
  const Workload* workload;
  std::vector<const OwnedPod*> pods;
  Time now;
  std::size_t needed = 0;
  std::vector<const Known*> open = {};  // That stay.
  std::size_t under_way = 0;
  RebuildSteps steps = {};

  void change(const Known& known, ReservationPhase phase, std::string_view reason = {},
              const OwnedPod* bound = nullptr) {
    steps.change.push_back({known.object, with_status(known.object, phase, reason, bound, now)});
  }
  std::size_t holds() const { return open.size() + under_way; }
};

std::int64_t Rebuilding::needed(const std::string& root_uid) const {
  const Workload* workload = find_workload(root_uid);
  const bool counts = workload && !workload->is_being_deleted && workload->controller.uid.empty();
  if (!counts) return 0;
  const auto there =
      std::ranges::count_if(pods_of(root_uid), [](const OwnedPod* pod) { return pod->is_there(); });
  return std::max<std::int64_t>(0, workload->expected - there);
}

RebuildSteps Rebuilding::plan(const std::string& root_uid, Time now) {
  // Who stands behind it may have become known only now.
  if (root_of(root_uid) != root_uid) due_.insert(root_of(root_uid));
  Planning planning{.root_uid = root_uid,
                    .workload = find_workload(root_uid),
                    .pods = pods_of(root_uid),
                    .now = now,
                    .needed = static_cast<std::size_t>(needed(root_uid))};
  if (const auto owned = reservations_of_.find(root_uid); owned != reservations_of_.end()) {
    for (const std::string& uid : owned->second) review(planning, reservations_.find(uid)->second);
  }
  planning.under_way = static_cast<std::size_t>(std::ranges::count_if(
      under_way_, [&](const auto& entry) { return entry.second.owner.uid == root_uid; }));
  release_surplus(planning);
  keep_room(planning);
  tell_misread(planning);
  return std::move(planning.steps);
}

// One reservation by itself: whether it is still worth anything.
void Rebuilding::review(Planning& planning, const Known& known) const {
  const Reservation& held = known.reservation;
  if (held.is_being_deleted) return;
  const auto predecessor = pods_.find(held.predecessor_uid);
  if (!held.is_open()) {
    const Time end = closed_since(known.object).value_or(held.created) + options_.keep_closed;
    // While its pod is there, it says that this one had its reservation.
    if (predecessor != pods_.end()) return;
    if (end > planning.now) return look_at(planning.steps.look_again, end);
    planning.steps.remove.push_back(known.object);
    return;
  }
  for (const OwnedPod* pod : planning.pods) {
    if (pod->claim != held.uid || pod->node.empty()) continue;
    const bool is_here = pod->node == held.node;
    return planning.change(known, is_here ? ReservationPhase::Bound : ReservationPhase::Released,
                           is_here ? "" : "BoundElsewhere", pod);
  }
  const auto release = [&](std::string_view reason) {
    planning.change(known, ReservationPhase::Released, reason);
  };
  if (!planning.workload || planning.workload->is_being_deleted) return release("OwnerGone");
  if (held.expires && *held.expires <= planning.now) {
    return planning.change(known, ReservationPhase::Expired, "TimeIsOver");
  }
  const auto node = nodes_.find(held.node);
  const bool is_same =
      node != nodes_.end() && (held.node_uid.empty() || held.node_uid == node->second.uid);
  if (!is_same) return release("NodeGone");
  if (!node->second.takes_pods) return release("NodeUnschedulable");
  for (const api::ResourceAmount& amount : held.resources.entries()) {
    if (amount.amount > node->second.allocatable.amount(amount.name)) return release("TooLarge");
  }
  const bool occupies = predecessor != pods_.end() && predecessor->second.node == held.node &&
                        !predecessor->second.has_failed && !predecessor->second.has_succeeded;
  const auto phase = occupies ? ReservationPhase::Holding : ReservationPhase::Active;
  if (!held.has_status || held.phase != phase) planning.change(known, phase);
  planning.open.push_back(&known);
  if (held.expires) look_at(planning.steps.look_again, *held.expires);
}

// First those whose pod has come back without saying so, then the newest.
void Rebuilding::release_surplus(Planning& planning) const {
  if (planning.holds() <= planning.needed) return;
  const auto is_served = [&planning](const Reservation& held) {
    return std::ranges::any_of(planning.pods, [&held](const OwnedPod* pod) {
      if (!pod->is_there()) return false;
      if (!held.successor_name.empty()) return pod->key.name == held.successor_name;
      return pod->node == held.node && pod->created >= held.created;
    });
  };
  std::ranges::sort(planning.open, {}, [&](const Known* known) {
    const Reservation& held = known->reservation;
    return std::tuple(is_served(held), held.created, held.uid);
  });
  while (planning.holds() > planning.needed && !planning.open.empty()) {
    const Known& last = *planning.open.back();
    planning.open.pop_back();
    // What was said about its phase a moment ago does not matter any more.
    std::erase_if(planning.steps.change, [&last](const RebuildSteps::StatusChange& change) {
      return change.before == last.object;
    });
    planning.change(last, ReservationPhase::Released, "NotNeeded");
  }
}

// Pods of the workload that leave or have left, and whose room might be kept.
std::vector<const OwnedPod*> Rebuilding::candidates(const std::string& root_uid, Time now) {
  std::erase_if(departed_,
                [now](const auto& entry) { return entry.second.gone + kDepartedFor <= now; });
  std::vector<const OwnedPod*> found;
  for (const OwnedPod* pod : pods_of(root_uid)) {
    if (!pod->is_leaving() || has_reservation(*pod)) continue;
    const bool is_recent =
        pod->deleted ? *pod->deleted + options_.ttl > now : seen_failing_.contains(pod->uid);
    if (is_recent) found.push_back(pod);
  }
  for (const auto& [uid, departed] : departed_) {
    const bool is_its = root_of(departed.pod.owner.uid) == root_uid;
    if (is_its && !has_reservation(departed.pod)) found.push_back(&departed.pod);
  }
  std::erase_if(found,
                [this](const OwnedPod* pod) { return !wants_rebuild(*pod) || pod->had_to_go; });
  std::ranges::sort(found, {}, [](const OwnedPod* pod) { return std::tuple(pod->key, pod->uid); });
  return found;
}

void Rebuilding::keep_room(Planning& planning) {
  const Workload* workload = planning.workload;
  if (planning.holds() >= planning.needed) return;
  for (const OwnedPod* pod : candidates(planning.root_uid, planning.now)) {
    if (planning.holds() >= planning.needed) return;
    const bool has_come_back = workload->names_its_pods &&
                               std::ranges::any_of(planning.pods, [pod](const OwnedPod* other) {
                                 return other->is_there() && other->key.name == pod->key.name;
                               });
    if (has_come_back || !node_objection(*pod).empty()) continue;
    if (std::string objection = quota_objection(*pod); !objection.empty()) {
      if (told_.insert(pod->uid).second) {
        planning.steps.declined.push_back({workload->root, pod->key, std::move(objection)});
      }
      continue;
    }
    Reservation made = reservation_for(*pod, *workload, planning.now);
    under_way_.insert_or_assign(made.key, made);
    ++planning.under_way;
    planning.steps.create.push_back(std::move(made));
  }
}

// Pods of one template say the same, so their owner hears it once.
void Rebuilding::tell_misread(Planning& planning) {
  if (!planning.workload || !planning.workload->controller.uid.empty()) return;
  Uids said;
  for (const OwnedPod* pod : planning.pods) {
    if (pod->misread.empty() || !said.insert(pod->misread).second) continue;
    const auto before = misread_.find(planning.root_uid);
    if (before != misread_.end() && before->second.contains(pod->misread)) continue;
    planning.steps.misread.push_back({planning.workload->root, pod->key, pod->misread});
  }
  if (said.empty()) {
    misread_.erase(planning.root_uid);
  } else {
    misread_.insert_or_assign(planning.root_uid, std::move(said));
  }
}

// A node that is drained, dead or gone: the pod is not to come back there.
std::string Rebuilding::node_objection(const OwnedPod& pod) const {
  const auto node = nodes_.find(pod.node);
  if (node == nodes_.end()) return "the node is gone";
  if (!node->second.takes_pods) return "the node takes no pods";
  const bool is_repelled = api::find_untolerated(node->second.taints, pod.tolerations,
                                                 api::kRepellingNodeEffects) != nullptr;
  return is_repelled ? "the node has a taint that the pod does not tolerate" : "";
}

bool Rebuilding::exceeds(const api::ResourceList& held, const OwnedPod& pod,
                         const api::ResourceList& whole, int percent) const {
  for (const char* name : {"cpu", "memory"}) {
    const api::Quantity wanted = held.amount(name) + pod.requests.amount(name);
    // In thousandths: 100 times the wish against so many times the whole.
    __extension__ using Wide = __int128;
    const Wide share = Wide{whole.amount(name).milli_value()} * percent;
    if (Wide{wanted.milli_value()} * 100 > share) return true;
  }
  return false;
}

std::string Rebuilding::quota_objection(const OwnedPod& pod) const {
  api::ResourceList on_node;
  api::ResourceList in_namespace;
  const auto add = [&](const Reservation& held) {
    if (!held.is_open()) return;
    if (held.node == pod.node) on_node.add(held.resources);
    if (held.key.ns == pod.key.ns) in_namespace.add(held.resources);
  };
  for (const auto& [uid, known] : reservations_) add(known.reservation);
  for (const auto& [key, reservation] : under_way_) add(reservation);
  if (exceeds(on_node, pod, nodes_.find(pod.node)->second.allocatable, options_.node_percent_max)) {
    return fmt::format("reservations would keep more than {}% of node {}",
                       options_.node_percent_max, pod.node);
  }
  api::ResourceList whole;
  for (const auto& [name, node] : nodes_) whole.add(node.allocatable);
  if (exceeds(in_namespace, pod, whole, options_.namespace_percent_max)) {
    return fmt::format("reservations of namespace {} would keep more than {}% of the cluster",
                       pod.key.ns, options_.namespace_percent_max);
  }
  return "";
}

Reservation Rebuilding::reservation_for(const OwnedPod& pod, const Workload& workload,
                                        Time now) const {
  const Duration ttl = std::min(pod.ttl.value_or(options_.ttl), options_.ttl_max);
  // A pod that takes its time to end keeps its room itself until then.
  const Time from = pod.deleted ? std::max(*pod.deleted, now) : now;
  return {.key = {pod.key.ns, reservation_name(pod.uid)},
          .node = pod.node,
          .node_uid = nodes_.find(pod.node)->second.uid,
          .resources = pod.requests,
          .ports = pod.ports,
          .priority = pod.priority,
          .owner = workload.root,
          .predecessor_name = pod.key.name,
          .predecessor_uid = pod.uid,
          .successor_name = workload.names_its_pods ? pod.key.name : "",
          .policy = pod.policy,
          .expires = std::min(from + ttl, now + options_.ttl_max)};
}

}  // namespace berth::nodes

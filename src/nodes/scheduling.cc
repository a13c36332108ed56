#include "nodes/scheduling.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "base/check.h"
#include "base/hash.h"
#include "json/print.h"

namespace berth::nodes {
namespace {

// Equal while nothing has changed that scheduling reads: our own writes to the status, and those of
// others, wake nobody.
std::uint64_t fingerprint_of(const json::Value& pod) {
  const json::Value& metadata = api::field(pod, "metadata");
  std::uint64_t hash = hash64(json::print(api::field(pod, "spec")));
  hash = hash64(json::print(api::field(metadata, "labels")), hash);
  return hash64(json::print(api::field(metadata, "ownerReferences")), hash);
}

constexpr std::string_view kNoEvictions = " preemption: not supported, nobody is evicted for it.";

std::string unsupported_text(const PodWishes& wishes, std::size_t nodes) {
  return fmt::format("0/{} nodes are available: berth-scheduler does not support {} yet.", nodes,
                     join(wishes.unsupported, ", "));
}

}  // namespace

Scheduling::Scheduling(SchedulingOptions options)
    : profiles_(std::move(options.profiles)), queue_(options.queue) {}

const Profile* Scheduling::profile_of(std::string_view scheduler) const {
  for (const Profile& profile : profiles_) {
    if (profile.scheduler_name == scheduler) return &profile;
  }
  return nullptr;
}

void Scheduling::note(const std::vector<Snapshot::NodeChange>& changes) {
  for (const Snapshot::NodeChange& change : changes) {
    if (change.facts_changed) shapes_.on_node(change.node);
    if (change.facts_changed || change.has_more_room) touched_.insert(change.node);
  }
}

Result<std::vector<std::string>> Scheduling::put_node(const json::Value& node) {
  auto change = snapshot_.put_node(node);
  if (!change.ok()) return failure(std::move(change).error());
  std::vector<std::string> problems = std::move(change->problems);
  note({*std::move(change)});
  return problems;
}

void Scheduling::remove_node(std::string_view name) {
  if (const auto node = snapshot_.find_node(name)) touched_.erase(*node);
  snapshot_.remove_node(name);
}

Status Scheduling::put_pod(const json::Value& object, Now now) {
  auto facts = PodFacts::from_json(object);
  const std::string uid(api::Metadata(object).uid());
  if (!facts.ok()) {
    remove_pod(uid);
    return failure(std::move(facts).error());
  }
  const Profile* profile = profile_of(facts->scheduler);
  const bool waits = facts->node.empty() && !facts->is_terminal && !facts->is_being_deleted;
  if (facts->node.empty() && assumed_.contains(uid)) return {};  // The binding is under way.
  if (waits && profile) {
    put_waiting(object, *std::move(facts), *profile, now);
    return {};
  }
  drop_waiting(uid);
  assumed_.erase(uid);
  note(snapshot_.put_pod(*facts));
  return {};
}

void Scheduling::put_waiting(const json::Value& object, PodFacts facts, const Profile& profile,
                             Now now) {
  const std::string uid = facts.uid;
  const std::int32_t priority = facts.priority;
  const std::uint64_t fingerprint = fingerprint_of(object);
  const auto known = waiting_.find(uid);
  if (known != waiting_.end() && known->second.fingerprint == fingerprint) return;
  PendingPod pod{.facts = std::move(facts), .wishes = PodWishes::from_json(object)};
  const bool is_gated = !pod.wishes.gates.empty();
  waiting_.insert_or_assign(
      uid, Waiting{.pod = std::move(pod), .profile = &profile, .fingerprint = fingerprint});
  if (is_gated) {
    queue_.add_gated(uid, priority, now.instant);
    gated_untold_.insert(uid);
  } else {
    gated_untold_.erase(uid);
    queue_.add(uid, priority, now.instant);
    queue_.wake(uid, Help::Possible, now.instant);
  }
}

void Scheduling::drop_waiting(const std::string& uid) {
  queue_.remove(uid);
  waiting_.erase(uid);
  gated_untold_.erase(uid);
}

void Scheduling::remove_pod(std::string_view uid) {
  drop_waiting(std::string(uid));
  assumed_.erase(std::string(uid));
  note(snapshot_.remove_pod(uid));
}

Status Scheduling::put_reservation(const json::Value& object, Now now) {
  auto reservation = Reservation::from_json(object);
  if (!reservation.ok()) {
    remove_reservation(api::Metadata(object).uid());
    return failure(std::move(reservation).error());
  }
  const Hold hold = hold_of(*reservation);
  const bool is_over = hold.expires && *hold.expires <= now.time;
  if (is_over || !reservation->is_open()) {
    remove_reservation(reservation->uid);
  } else {
    note(snapshot_.put_hold(hold));
  }
  return {};
}

void Scheduling::remove_reservation(std::string_view uid) { note(snapshot_.remove_hold(uid)); }

void Scheduling::put_replica_set(const json::Value& replica_set) {
  note(snapshot_.put_owner(replica_set));
  owners_touched_.emplace(api::Metadata(replica_set).uid());
}

void Scheduling::remove_replica_set(std::string_view uid) { snapshot_.remove_owner(uid); }

void Scheduling::expire(Now now) {
  for (const std::string& id : snapshot_.expired_holds(now.time)) remove_reservation(id);
}

// Only pods that the change really helps are tried again: those for which a node that was touched
// has become good enough.
void Scheduling::wake_helped(Now now) {
  const auto owners = std::exchange(owners_touched_, {});
  if (queue_.has_unschedulable() && !owners.empty()) {
    for (const auto& [uid, waiting] : waiting_) {
      if (!owners.contains(waiting.pod.facts.owner.uid)) continue;
      queue_.wake(uid, Help::Possible, now.instant);
    }
  }
  const auto touched = std::exchange(touched_, {});
  if (touched.empty()) return;
  for (const std::string& uid : queue_.unschedulable()) {
    const Waiting& waiting = waiting_.find(uid)->second;
    if (waiting.only_itself_helps) continue;
    const Cycle cycle = Cycle::of(snapshot_, waiting.pod);
    const bool is_helped = std::ranges::any_of(touched, [&](NodeSlot node) {
      return snapshot_.find_node(snapshot_.name(node)) == node &&
             fits(cycle, *waiting.profile, node);
    });
    if (is_helped) {
      queue_.wake(uid, Help::Certain, now.instant);
    } else if (waiting.reads_cluster) {
      queue_.wake(uid, Help::Possible, now.instant);
    }
  }
}

PodName Scheduling::name_of(const std::string& uid, const Waiting& waiting, Now now) const {
  return {.key = waiting.pod.facts.key,
          .uid = uid,
          .scheduler = waiting.profile->scheduler_name,
          .attempts = queue_.attempts(uid),
          .waited = now.instant - queue_.since(uid)};
}

std::optional<NextStep> Scheduling::next_gated(Now now) {
  if (gated_untold_.empty()) return std::nullopt;
  const std::string uid = *gated_untold_.begin();
  gated_untold_.erase(gated_untold_.begin());
  const Waiting& waiting = waiting_.find(uid)->second;
  return GatedPod{.pod = name_of(uid, waiting, now),
                  .message = "Scheduling is blocked due to non-empty scheduling gates"};
}

std::optional<NextStep> Scheduling::next(Now now) {
  if (auto gated = next_gated(now)) return gated;
  wake_helped(now);
  const std::optional<std::string> uid = queue_.pop(now.instant);
  if (!uid) return std::nullopt;
  return decide(*uid, waiting_.find(*uid)->second, now);
}

NextStep Scheduling::decide(const std::string& uid, Waiting& waiting, Now now) {
  const Cycle cycle = Cycle::of(snapshot_, waiting.pod);
  if (!waiting.pod.wishes.unsupported.empty()) return refuse(uid, waiting, cycle, now);
  const Choice choice = schedule(cycle, *waiting.profile, shapes_, cursor_);
  if (!choice.node) return refuse(uid, waiting, cycle, now);
  BindPod bind{.pod = name_of(uid, waiting, now),
               .node = snapshot_.name(*choice.node),
               .claim = choice.claim,
               .unweighed = waiting.pod.wishes.unweighed,
               .evaluated = choice.evaluated,
               .feasible = choice.feasible};
  PodFacts placed = waiting.pod.facts;
  placed.node = bind.node;
  placed.claim = choice.claim;
  assume(placed);
  return bind;
}

void Scheduling::assume(const PodFacts& pod) {
  assumed_.insert_or_assign(pod.uid, Binding::UnderWay);
  note(snapshot_.put_pod(pod));
}

RefusePod Scheduling::refuse(const std::string& uid, Waiting& waiting, const Cycle& cycle,
                             Now now) {
  RefusePod refusal{.pod = name_of(uid, waiting, now), .message = {}};
  waiting.only_itself_helps = !waiting.pod.wishes.unsupported.empty();
  if (waiting.only_itself_helps) {
    refusal.message = unsupported_text(waiting.pod.wishes, snapshot_.nodes().size());
  } else {
    Refusal why = explain_refusal(cycle, *waiting.profile);
    waiting.reads_cluster = why.reads_cluster;
    refusal.message = std::move(why.message);
    if (waiting.pod.wishes.expects_evictions) refusal.message += kNoEvictions;
    refusal.filters = std::move(why.filters);
  }
  queue_.refuse(uid, now.instant);
  return refusal;
}

bool Scheduling::is_binding(std::string_view uid) const {
  const auto assumed = assumed_.find(uid);
  return assumed != assumed_.end() && assumed->second == Binding::UnderWay;
}

void Scheduling::on_bound(const std::string& uid) {
  const auto assumed = assumed_.find(uid);
  if (assumed == assumed_.end()) return;  // The watch was faster.
  assumed->second = Binding::Done;
  drop_waiting(uid);
}

void Scheduling::on_bind_failed(const std::string& uid, Now now) {
  const auto assumed = assumed_.find(uid);
  // The watch may have known better: bound after all, or gone.
  if (assumed == assumed_.end() || assumed->second == Binding::Done) return;
  assumed_.erase(assumed);
  note(snapshot_.remove_pod(uid));
  queue_.retry(uid, now.instant);
}

std::vector<std::string> Scheduling::pod_uids() const {
  std::vector<std::string> uids = snapshot_.pod_uids();
  for (const auto& [uid, waiting] : waiting_) uids.push_back(uid);
  return uids;
}

}  // namespace berth::nodes

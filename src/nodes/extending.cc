#include "nodes/extending.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "base/rfc3339.h"
#include "base/strings.h"

namespace berth::nodes {
namespace {

using json::Value;

__extension__ using Wide = __int128;

// Go reads these members in any case; others may have written them so.
const Value& member(const Value& object, std::string_view name) {
  const Value& exact = api::field(object, name);
  if (!exact.is_null() || !object.is_object()) return exact;
  for (const json::Member& one : object.members()) {
    if (lower_ascii(one.name()) == lower_ascii(name)) return one.value;
  }
  return exact;
}

std::string until(const Hold& hold) {
  return hold.expires ? fmt::format(" until {}", format_seconds(*hold.expires)) : "";
}

// What of the node is free for the pod if the predecessor of its claim is taken for gone.
Wide free_for(const Cycle& cycle, NodeSlot node, Column column, const StandingHold* claim) {
  Wide free = cycle.snapshot.free(column)[node];
  const BoundPod* predecessor =
      claim ? cycle.snapshot.find_pod(claim->hold->predecessor_uid) : nullptr;
  if (predecessor && predecessor->node == node) free += amount_in(predecessor->needs, column);
  return free;
}

Value strings(const std::vector<std::string>& texts) {
  Value list = Value::array();
  for (const std::string& text : texts) list.push_back(text);
  return list;
}

// Victims of one node, by uid, whichever of the two forms they came in.
std::vector<std::string> victims_of(const Value& victims) {
  std::vector<std::string> uids;
  for (const Value& pod : member(victims, "Pods").elements()) {
    const std::string uid(member(pod, "UID").string_or_empty());
    uids.push_back(uid.empty() ? std::string(api::Metadata(pod).uid()) : uid);
  }
  return uids;
}

Value meta_victims(const Value& victims, const std::vector<std::string>& uids) {
  Value pods = Value::array();
  for (const std::string& uid : uids) pods.push_back(Value::object({{"UID", uid}}));
  return Value::object(
      {{"Pods", std::move(pods)},
       {"NumPDBViolations", member(victims, "NumPDBViolations").as_int().value_or(0)}});
}

Result<PendingPod> read_pod(const Value& object) {
  auto facts = PodFacts::from_json(object);
  if (!facts.ok()) return failure(std::move(facts).error().in_context("Pod"));
  return PendingPod{.facts = *std::move(facts), .wishes = PodWishes::from_json(object)};
}

// What stands against the pod there if these victims are gone, for each resource that it needs.
bool holds_allow(const Cycle& cycle, NodeSlot node, const std::vector<std::string>& victims) {
  const Snapshot& snapshot = cycle.snapshot;
  const Claimant claimant = cycle.claimant();
  const StandingHold* claim = snapshot.claim_on(node, claimant);
  for (const Need& need : cycle.needs) {
    Wide free = free_for(cycle, node, need.column, claim);
    for (const std::string& uid : victims) {
      const BoundPod* victim = snapshot.find_pod(uid);
      if (victim && victim->node == node) free += amount_in(victim->needs, need.column);
    }
    for (const StandingHold& standing : snapshot.holds(node)) {
      if (&standing == claim || standing.hold->priority < claimant.priority) continue;
      free -= amount_in(standing.needs, need.column);
    }
    if (need.amount > free) return false;
  }
  return true;
}

}  // namespace

Result<ExtenderArgs> ExtenderArgs::from_json(const Value& arguments) {
  ASSIGN_OR_RETURN(PendingPod pod, read_pod(member(arguments, "Pod")));
  ExtenderArgs read{.pod = std::move(pod)};
  const Value& names = member(arguments, "NodeNames");
  if (names.is_array()) {
    for (const Value& name : names.elements()) read.nodes.emplace_back(name.string_or_empty());
    return read;
  }
  read.node_objects = member(arguments, "Nodes");
  for (const Value& node : api::elements_field(read.node_objects, "items")) {
    read.nodes.emplace_back(api::Metadata(node).name());
  }
  return read;
}

std::string hold_objection(const Cycle& cycle, NodeSlot node) {
  const Snapshot& snapshot = cycle.snapshot;
  if (!snapshot.has_holds(node)) return "";
  const Claimant claimant = cycle.claimant();
  const StandingHold* claim = snapshot.claim_on(node, claimant);
  std::vector<const StandingHold*> against;
  for (const StandingHold& standing : snapshot.holds(node)) {
    const bool stands = &standing != claim && standing.hold->priority >= claimant.priority;
    if (stands) against.push_back(&standing);
  }
  if (against.empty()) return "";
  std::vector<std::string> missing;
  for (const Need& need : cycle.needs) {
    Wide free = free_for(cycle, node, need.column, claim);
    for (const StandingHold* standing : against) free -= amount_in(standing->needs, need.column);
    if (need.amount > free) missing.push_back(snapshot.columns().name(need.column));
  }
  for (const StandingHold* standing : against) {
    if (const HostPort* port = find_conflict(cycle.pod.facts.ports, standing->ports)) {
      missing.push_back(fmt::format("host port {}", port->port));
      break;
    }
  }
  if (missing.empty()) return "";
  const Hold& first = *against.front()->hold;
  const std::string more =
      against.size() > 1 ? fmt::format(" and {} more", against.size() - 1) : "";
  return fmt::format("Insufficient {} because of reserved room ({} for owner {}{}{})",
                     join(missing, ", "), first.name, first.owner_uid, until(first), more);
}

Value extender_filter(const Snapshot& snapshot, const ExtenderArgs& arguments) {
  const Cycle cycle = Cycle::of(snapshot, arguments.pod);
  std::vector<std::string> passed;
  Value failed = Value::object();
  for (const std::string& name : arguments.nodes) {
    const auto node = snapshot.find_node(name);
    // One that we have not heard of yet keeps nothing for anybody.
    const std::string objection = node ? hold_objection(cycle, *node) : "";
    if (objection.empty()) {
      passed.push_back(name);
    } else {
      failed[name] = objection;
    }
  }
  Value result = Value::object();
  if (arguments.node_objects.is_null()) {
    result["Nodes"] = Value();
    result["NodeNames"] = strings(passed);
  } else {
    Value items = Value::array();
    for (const Value& node : api::elements_field(arguments.node_objects, "items")) {
      const bool passes = std::ranges::find(passed, api::Metadata(node).name()) != passed.end();
      if (passes) items.push_back(node);
    }
    result["Nodes"] = Value::object({{"items", std::move(items)}});
    result["NodeNames"] = Value();
  }
  result["FailedNodes"] = Value::object();
  result["FailedAndUnresolvableNodes"] = std::move(failed);
  result["Error"] = "";
  return result;
}

Value extender_prioritize(const Snapshot& snapshot, const ExtenderArgs& arguments) {
  const Cycle cycle = Cycle::of(snapshot, arguments.pod);
  const Claimant claimant = cycle.claimant();
  Value scores = Value::array();
  for (const std::string& name : arguments.nodes) {
    const auto node = snapshot.find_node(name);
    const StandingHold* claim = node ? snapshot.claim_on(*node, claimant) : nullptr;
    std::int64_t points = kExtenderPointsMax / 2;
    if (claim) points = claim->hold->policy == HoldPolicy::Prefer ? kExtenderPointsMax : 0;
    scores.push_back(Value::object({{"Host", name}, {"Score", points}}));
  }
  return scores;
}

Result<Value> extender_preempt(const Snapshot& snapshot, const Value& arguments) {
  ASSIGN_OR_RETURN(const PendingPod pod, read_pod(member(arguments, "Pod")));
  const Cycle cycle = Cycle::of(snapshot, pod);
  Value kept = Value::object();
  for (const std::string_view form : {"NodeNameToMetaVictims", "NodeNameToVictims"}) {
    const Value& nodes = member(arguments, form);
    if (!nodes.is_object()) continue;
    for (const json::Member& one : nodes.members()) {
      const auto node = snapshot.find_node(one.name());
      const std::vector<std::string> victims = victims_of(one.value);
      const bool is_fine =
          !node || !snapshot.has_holds(*node) || holds_allow(cycle, *node, victims);
      if (is_fine) kept[one.name()] = meta_victims(one.value, victims);
    }
  }
  return Value::object({{"NodeNameToMetaVictims", std::move(kept)}});
}

std::string claim_of(const Snapshot& snapshot, const PendingPod& pod, std::string_view node) {
  const auto slot = snapshot.find_node(node);
  if (!slot) return "";
  const Cycle cycle = Cycle::of(snapshot, pod);
  const StandingHold* claim = snapshot.claim_on(*slot, cycle.claimant());
  const bool is_reservation = claim && claim->hold->source == Hold::Source::Reservation;
  return is_reservation ? claim->hold->id : "";
}

}  // namespace berth::nodes

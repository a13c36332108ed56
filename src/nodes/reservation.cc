#include "nodes/reservation.h"

#include <utility>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "base/rfc3339.h"
#include "nodes/pod_facts.h"

namespace berth::nodes {
namespace {

using json::Value;

constexpr std::pair<std::string_view, ReservationPhase> kPhases[] = {
    {"Holding", ReservationPhase::Holding},
    {"Active", ReservationPhase::Active},
    {"Bound", ReservationPhase::Bound},
    {"Released", ReservationPhase::Released},
    {"Expired", ReservationPhase::Expired}};

void read_status(const Value& status, Reservation& read) {
  const std::string_view phase = api::field(status, "phase").string_or_empty();
  for (const auto& [name, known] : kPhases) {
    if (phase != name) continue;
    read.phase = known;
    read.has_status = true;
  }
  read.reason = api::text_field(status, "reason");
  const Value& bound = api::field(status, "boundPod");
  read.bound_pod = api::text_field(bound, "name");
  read.bound_pod_uid = api::text_field(bound, "uid");
  read.bound_node = api::text_field(bound, "node");
}

Value amounts_json(const api::ResourceList& list) {
  Value amounts = Value::object();
  for (const api::ResourceAmount& entry : list.entries()) {
    amounts[entry.name] = entry.amount.to_string();
  }
  return amounts;
}

}  // namespace

std::string_view phase_name(ReservationPhase phase) {
  for (const auto& [name, known] : kPhases) {
    if (known == phase) return name;
  }
  return "";
}

std::string reservation_name(std::string_view predecessor_uid) {
  return fmt::format("r-{}", predecessor_uid);
}

Result<Reservation> Reservation::from_json(const Value& object) {
  const api::Metadata metadata(object);
  const Value& spec = api::field(object, "spec");
  auto resources = api::ResourceList::from_json(spec.find("resources"));
  if (!resources.ok()) {
    return failure(std::move(resources).error().in_context("spec.resources"));
  }
  const Value& owner = api::field(spec, "owner");
  const Value& predecessor = api::field(spec, "predecessor");
  Reservation read{.key = metadata.key(),
                   .uid = std::string(metadata.uid()),
                   .resource_version = std::string(metadata.resource_version()),
                   .is_being_deleted = metadata.is_being_deleted(),
                   .created = metadata.creation_time().value_or(Time()),
                   .node = api::text_field(spec, "nodeName"),
                   .node_uid = api::text_field(spec, "nodeUID"),
                   .resources = *std::move(resources),
                   .ports = read_host_ports(spec.find("hostPorts")),
                   .priority = api::int32_field(spec, "priority").value_or(0),
                   .owner = {.api_version = api::text_field(owner, "apiVersion"),
                             .kind = api::text_field(owner, "kind"),
                             .name = api::text_field(owner, "name"),
                             .uid = api::text_field(owner, "uid")},
                   .predecessor_name = api::text_field(predecessor, "name"),
                   .predecessor_uid = api::text_field(predecessor, "uid"),
                   .successor_name = api::text_field(spec, "successorName"),
                   .policy = api::field(spec, "policy").string_or_empty() == "FallbackOnly"
                                 ? HoldPolicy::FallbackOnly
                                 : HoldPolicy::Prefer,
                   .expires = api::time_field(spec, "expireTime")};
  read_status(api::field(object, "status"), read);
  return read;
}

Value Reservation::to_json() const {
  Value object = Value::object(
      {{"apiVersion", fmt::format("{}/v1alpha1", kReservationGroup)}, {"kind", "PodReservation"}});
  object["metadata"] = Value::object({{"name", key.name}, {"namespace", key.ns}});
  const api::OwnerReference reference{
      .api_version = owner.api_version, .kind = owner.kind, .name = owner.name, .uid = owner.uid};
  object["metadata"]["ownerReferences"] = Value::array({reference.to_json()});
  Value& spec = object["spec"];
  spec["nodeName"] = node;
  if (!node_uid.empty()) spec["nodeUID"] = node_uid;
  spec["resources"] = amounts_json(resources);
  if (!ports.empty()) spec["hostPorts"] = nodes::to_json(ports);
  spec["priority"] = priority;
  spec["owner"] = Value::object({{"apiVersion", owner.api_version},
                                 {"kind", owner.kind},
                                 {"name", owner.name},
                                 {"uid", owner.uid}});
  spec["predecessor"] = Value::object({{"name", predecessor_name}, {"uid", predecessor_uid}});
  if (!successor_name.empty()) spec["successorName"] = successor_name;
  spec["policy"] = policy == HoldPolicy::Prefer ? "Prefer" : "FallbackOnly";
  if (expires) spec["expireTime"] = format_seconds(*expires);
  return object;
}

Hold hold_of(const Reservation& reservation) {
  Hold hold{.id = reservation.uid,
            .name = fmt::format("PodReservation {}", reservation.key.text()),
            .node = reservation.node,
            .node_uid = reservation.node_uid,
            .resources = reservation.resources,
            .ports = reservation.ports,
            .priority = reservation.priority,
            .owner_uid = reservation.owner.uid,
            .predecessor_uid = reservation.predecessor_uid,
            .successor_name = reservation.successor_name,
            .policy = reservation.policy,
            .created = reservation.created};
  if (reservation.expires) hold.expires = *reservation.expires + kClockSkewMax;
  return hold;
}

}  // namespace berth::nodes

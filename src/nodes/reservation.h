// PodReservation: room on a node that a controller keeps for the successor of a pod.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/object_key.h"
#include "api/resource_list.h"
#include "base/time.h"
#include "json/value.h"
#include "nodes/hold.h"
#include "nodes/host_port.h"

namespace berth::nodes {

enum class ReservationPhase : std::uint8_t {
  Holding,   // The predecessor is still on the node.
  Active,    // The room is kept.
  Bound,     // The successor took it.
  Released,  // It is not needed any more.
  Expired,   // Nobody came in time.
};

std::string_view phase_name(ReservationPhase phase);

// Whether room is kept.
constexpr bool is_open(ReservationPhase phase) {
  return phase == ReservationPhase::Holding || phase == ReservationPhase::Active;
}

// The object that asks for pods: a Deployment, a StatefulSet, a Job, a ReplicaSet of its own, ...
struct RootOwner {
  std::string api_version = {};
  std::string kind = {};
  std::string name = {};
  std::string uid = {};

  bool operator==(const RootOwner&) const = default;
};

struct Reservation {
  api::ObjectKey key = {};
  std::string uid = {};
  std::string resource_version = {};
  bool is_being_deleted = false;
  Time created = {};

  std::string node = {};
  std::string node_uid = {};
  api::ResourceList resources = {};
  std::vector<HostPort> ports = {};
  std::int32_t priority = 0;
  RootOwner owner = {};
  std::string predecessor_name = {};
  std::string predecessor_uid = {};
  std::string successor_name = {};  // Empty: any pod of the owner.
  HoldPolicy policy = HoldPolicy::Prefer;
  std::optional<Time> expires = std::nullopt;

  ReservationPhase phase = ReservationPhase::Active;
  bool has_status = false;  // Whether anybody has said the phase yet.
  std::string reason = {};
  std::string bound_pod = {};
  std::string bound_pod_uid = {};
  std::string bound_node = {};

  // Errors name the field that holds no quantity. What is absent reads as empty.
  static Result<Reservation> from_json(const json::Value& object);

  // As it is created: without status, uid and version.
  json::Value to_json() const;

  bool is_open() const { return !is_being_deleted && nodes::is_open(phase); }
};

// The name that a reservation has for that pod: making it twice is refused by the server.
std::string reservation_name(std::string_view predecessor_uid);

// What scheduling sees of it. A scheduler keeps it a little longer than its time, so that clocks
// which differ do not open the room to anybody while the controller still counts on it.
inline constexpr Duration kClockSkewMax = std::chrono::seconds(5);
Hold hold_of(const Reservation& reservation);

}  // namespace berth::nodes

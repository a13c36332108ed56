// Hold: room on a node that is kept for a pod which is being rebuilt.

#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "api/resource_list.h"
#include "base/time.h"
#include "nodes/host_port.h"

namespace berth::nodes {

enum class HoldPolicy : std::uint8_t {
  Prefer,        // The rebuilt pod goes back if it can.
  FallbackOnly,  // It goes back if there is nothing else.
};

struct Hold {
  enum class Source : std::uint8_t {
    Reservation,  // A PodReservation. One pod claims it.
    Annotation,   // On the node itself. Used while a pod of the owner is bound there.
  };

  std::string id;    // Of a reservation its uid.
  std::string name;  // For people.
  Source source = Source::Reservation;
  std::string node;
  std::string node_uid = {};  // Empty: whatever node has the name.
  api::ResourceList resources = {};
  std::vector<HostPort> ports = {};

  // It stands against pods of this priority and below, as a nominated pod would.
  std::int32_t priority = std::numeric_limits<std::int32_t>::max();
  std::string owner_uid = {};        // Of the pods that may claim it: their owner or root owner.
  std::string predecessor_uid = {};  // While that pod is there, the room is its own.
  std::string successor_name = {};   // Empty: any pod of the owner.
  HoldPolicy policy = HoldPolicy::Prefer;
  std::optional<Time> expires = std::nullopt;
  Time created = {};

  bool operator==(const Hold&) const = default;
};

}  // namespace berth::nodes

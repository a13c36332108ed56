// What node scheduling keeps of every pod: what it takes from its node and whose it is.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/kinds/pod.h"
#include "api/resource_list.h"
#include "base/result.h"
#include "json/value.h"
#include "nodes/anti_affinity.h"
#include "nodes/host_port.h"

namespace berth::nodes {

// Our own annotations, labels and kinds are below this.
inline constexpr std::string_view kReservationGroup = "reserve.berth.dev";

// On a pod: the uid of the PodReservation whose room it took. Written with the binding.
inline constexpr std::string_view kClaimAnnotation = "reserve.berth.dev/reservation";

// Who makes a pod, as far as that is known.
struct PodOwner {
  std::string kind = {};
  std::string name = {};
  std::string uid = {};  // Empty: nobody.

  bool operator==(const PodOwner&) const = default;
};

struct PodFacts {
  api::ObjectKey key = {};
  std::string uid = {};
  std::string node = {};  // Empty: not bound.
  std::string scheduler = {};
  std::int32_t priority = 0;
  bool is_terminal = false;
  bool is_being_deleted = false;
  PodOwner owner = {};     // Its controller.
  std::string claim = {};  // kClaimAnnotation.
  api::ResourceList requests = {};
  std::int64_t scored_cpu = 0;     // Millicores; 100 for each container that says nothing.
  std::int64_t scored_memory = 0;  // Bytes; 200Mi for each container that says nothing.
  std::vector<HostPort> ports = {};
  std::vector<AntiAffinityTerm> anti_affinity = {};

  // Errors name the field that holds no quantity.
  static Result<PodFacts> from_json(const json::Value& pod);
};

}  // namespace berth::nodes

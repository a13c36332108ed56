// Workload: what asks for pods, and for how many.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/object_key.h"
#include "json/value.h"
#include "nodes/reservation.h"

namespace berth::nodes {

struct Workload {
  api::ObjectKey key = {};
  RootOwner root = {};
  bool is_being_deleted = false;
  std::int64_t expected = 0;    // Pods that it wants to have now.
  bool names_its_pods = false;  // A rebuilt pod has the name of the one before.
  RootOwner controller = {};    // Of a ReplicaSet: its Deployment. Empty: it is a root itself.

  // A Deployment, ReplicaSet, StatefulSet or Job, by the kind that is asked for; lists and watches
  // of some servers do not repeat it in each object.
  static Workload from_json(std::string_view kind, const json::Value& object);

  // Anything else, by its scale subresource: `owner` is how its pods name it.
  static Workload from_scale(const RootOwner& owner, const json::Value& scale);
};

// The apiVersion of the kinds above; empty for others.
std::string_view workload_api_version(std::string_view kind);

}  // namespace berth::nodes

// What the controller of reservations keeps of a pod that somebody makes.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/metadata.h"
#include "api/object_key.h"
#include "api/resource_list.h"
#include "api/taint.h"
#include "base/result.h"
#include "base/time.h"
#include "json/value.h"
#include "nodes/hold.h"
#include "nodes/host_port.h"

namespace berth::nodes {

// On pods and namespaces, "true" or "false"; the pod's own word wins.
inline constexpr std::string_view kRebuildLabel = "reserve.berth.dev/rebuild";

// On pods: how long room is kept ("10m"), and whether to go back if there is other room, too.
inline constexpr std::string_view kTtlAnnotation = "reserve.berth.dev/ttl";
inline constexpr std::string_view kPolicyAnnotation = "reserve.berth.dev/policy";

struct OwnedPod {
  api::ObjectKey key = {};
  std::string uid = {};
  api::OwnerReference owner = {};  // Its controller.
  std::string node = {};           // Empty: not bound.
  std::string claim = {};          // Uid of the reservation whose room it took.
  std::int32_t priority = 0;
  bool is_being_deleted = false;
  bool has_succeeded = false;
  bool has_failed = false;
  Time created = {};
  std::optional<Time> deleted = std::nullopt;

  std::optional<bool> wants_rebuild = std::nullopt;  // Its label.
  std::optional<Duration> ttl = std::nullopt;
  HoldPolicy policy = HoldPolicy::Prefer;
  std::string misread = {};  // What of these makes no sense, and what to write instead.

  // It had to give way to somebody more important, or the node could not bear it: holding its room
  // would starve whom it was cleared for, or bring the pressure back.
  bool had_to_go = false;

  api::ResourceList requests = {};  // A pod slot included.
  std::vector<HostPort> ports = {};
  std::vector<api::Toleration> tolerations = {};

  // It counts as one of those that its owner wants.
  bool is_there() const {
    return !node.empty() && !is_being_deleted && !has_succeeded && !has_failed;
  }

  // It is on its way out, and its owner will make another one if it wants as many as before.
  bool is_leaving() const {
    return !node.empty() && !has_succeeded && (is_being_deleted || has_failed);
  }

  // Nothing for pods without a controller, and for those that a DaemonSet pins to their nodes.
  // Errors name the field that holds no quantity.
  static Result<std::optional<OwnedPod>> from_json(const json::Value& pod);
};

}  // namespace berth::nodes

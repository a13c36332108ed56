// Pod: what Berth reads of a Kubernetes pod. What it asks for is in api/pod_requests.h.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/metadata.h"
#include "api/object_key.h"
#include "api/taint.h"
#include "json/value.h"

namespace berth::api {

enum class PodPhase : std::uint8_t { Pending, Running, Succeeded, Failed, Unknown };

struct Pod {
  ObjectKey key;
  std::string uid;
  std::string node_name;  // Empty until it is bound.
  std::string scheduler_name;
  PodPhase phase = PodPhase::Pending;
  std::int32_t priority = 0;
  bool being_deleted = false;
  std::optional<OwnerReference> controller;
  std::vector<Toleration> tolerations;

  static Pod from_json(const json::Value& pod);

  bool is_bound() const { return !node_name.empty(); }

  // It has ended and holds no resources any more.
  bool is_terminal() const { return phase == PodPhase::Succeeded || phase == PodPhase::Failed; }
};

}  // namespace berth::api

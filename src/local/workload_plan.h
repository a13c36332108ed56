// What the controllers of workloads want changed: objects that should look different, and when to
// look again.

#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/time.h"
#include "json/value.h"

namespace berth::local {

enum class Kind : std::uint8_t {
  Deployments,
  ReplicaSets,
  StatefulSets,
  DaemonSets,
  Jobs,
  Pods,
  Nodes,  // Only looked at.
};

struct ObjectChange {
  Kind kind;
  std::optional<json::Value> before = std::nullopt;  // As it was read; absent: to be created.
  std::optional<json::Value> after = std::nullopt;   // As it should be; absent: to be deleted.
};

struct WorkloadPlan {
  std::vector<ObjectChange> changes = {};  // In this order.
  std::optional<Time> again = std::nullopt;

  void create(Kind kind, json::Value object) {
    changes.push_back({.kind = kind, .after = std::move(object)});
  }
  void remove(Kind kind, json::Value object) {
    changes.push_back({.kind = kind, .before = std::move(object)});
  }

  // Nothing if both are the same.
  void change(Kind kind, const json::Value& before, json::Value after) {
    if (before == after) return;
    changes.push_back({.kind = kind, .before = before, .after = std::move(after)});
  }

  void look_again_at(Time time) {
    if (!again || time < *again) again = time;
  }
};

}  // namespace berth::local

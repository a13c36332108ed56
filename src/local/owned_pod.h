// Pods as their controller makes and sees them.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "json/value.h"

namespace berth::local {

// Borrowed from a cache.
using Objects = std::span<const json::Value* const>;

// {"apiVersion":..,"kind":..,"name":..,"uid":..} of the owner as the one that manages.
json::Value controller_reference(const json::Value& owner);

// A pod by the template in the owner's spec, owned by it: with a name that the server makes up
// from the owner's, or with that very name.
json::Value pod_with_made_up_name(const json::Value& owner);
json::Value pod_named(const json::Value& owner, std::string_view name);

struct OwnedPod {
  const json::Value* object;
  bool is_active = false;  // Neither ended nor being deleted.
  bool is_bound = false;
  bool is_running = false;
  bool is_ready = false;
  std::optional<Time> ready_since = std::nullopt;
  Time created = {};
  std::int64_t deletion_cost = 0;  // controller.kubernetes.io/pod-deletion-cost
  std::int64_t restarts = 0;

  static OwnedPod of(const json::Value& pod);

  // Ready for that long, as minReadySeconds asks.
  bool is_available(Time now, Duration ready_for) const {
    return is_ready &&
           (ready_for == Duration::zero() || (ready_since && now - *ready_since >= ready_for));
  }
  bool becomes_available_after(Time now, Duration ready_for) const {
    return is_ready && ready_since && !is_available(now, ready_for);
  }
};

std::vector<OwnedPod> owned_pods(Objects pods);

// Whether `a` is missed less than `b` when there are too many: unbound before bound, pending before
// running, not ready before ready, cheap before dear, young before old.
bool goes_first(const OwnedPod& a, const OwnedPod& b);

}  // namespace berth::local

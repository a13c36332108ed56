#include "local/replica_set.h"

#include <algorithm>

#include "api/kinds/fields.h"
#include "api/metadata.h"

namespace berth::local {
namespace {

using json::Value;

// At a time: the rest follows when these are seen.
constexpr std::int64_t kBurst = 500;

Value status_of(const Value& set, const std::vector<OwnedPod>& active, Time now,
                Duration ready_for) {
  Value status = api::field(set, "status");
  status["replicas"] = active.size();
  status["fullyLabeledReplicas"] = active.size();
  status["readyReplicas"] = std::ranges::count_if(active, &OwnedPod::is_ready);
  status["availableReplicas"] = std::ranges::count_if(
      active, [&](const OwnedPod& pod) { return pod.is_available(now, ready_for); });
  status["observedGeneration"] = api::Metadata(set).generation();
  return status;
}

}  // namespace

WorkloadPlan plan_replica_set(const Value& set, Objects pods, Time now) {
  WorkloadPlan plan;
  std::vector<OwnedPod> active = owned_pods(pods);
  std::erase_if(active, [](const OwnedPod& pod) { return !pod.is_active; });
  const Value& spec = api::field(set, "spec");
  const std::int64_t wanted = api::int32_field(spec, "replicas").value_or(1);
  const std::int64_t surplus = static_cast<std::int64_t>(active.size()) - wanted;
  if (!api::Metadata(set).is_being_deleted()) {
    for (std::int64_t i = 0; i < std::min(-surplus, kBurst); ++i) {
      plan.create(Kind::Pods, pod_with_made_up_name(set));
    }
    if (surplus > 0) std::ranges::sort(active, goes_first);
    for (std::int64_t i = 0; i < std::min(surplus, kBurst); ++i) {
      plan.remove(Kind::Pods, *active[static_cast<std::size_t>(i)].object);
    }
  }
  const std::chrono::seconds ready_for(api::int32_field(spec, "minReadySeconds").value_or(0));
  for (const OwnedPod& pod : active) {
    if (pod.becomes_available_after(now, ready_for))
      plan.look_again_at(*pod.ready_since + ready_for);
  }
  Value after = set;
  after["status"] = status_of(set, active, now, ready_for);
  plan.change(Kind::ReplicaSets, set, std::move(after));
  return plan;
}

}  // namespace berth::local

// Tested by rebuilding_test.cc.
#include "nodes/owned_pod.h"

#include <utility>

#include "api/kinds/fields.h"
#include "api/kinds/pod.h"
#include "api/pod_requests.h"
#include "cel/time_arithmetic.h"
#include "nodes/pod_facts.h"

namespace berth::nodes {
namespace {

using json::Value;

bool was_sent_away(const Value& status) {
  if (api::field(status, "reason").string_or_empty() == "Evicted") return true;
  for (const Value& condition : api::elements_field(status, "conditions")) {
    if (api::field(condition, "type").string_or_empty() != "DisruptionTarget") continue;
    if (api::field(condition, "status").string_or_empty() != "True") continue;
    const std::string_view reason = api::field(condition, "reason").string_or_empty();
    if (reason == "PreemptionByScheduler" || reason == "TerminationByKubelet") return true;
  }
  return false;
}

std::optional<bool> wish_of(const api::Labels& labels) {
  const auto value = labels.find(kRebuildLabel);
  if (!value) return std::nullopt;
  return *value == "true";
}

}  // namespace

Result<std::optional<OwnedPod>> OwnedPod::from_json(const Value& object) {
  const api::Metadata metadata(object);
  const auto owner = metadata.controller();
  if (!owner || owner->kind == "DaemonSet") return std::nullopt;
  ASSIGN_OR_RETURN(api::ResourceList requests, api::pod_requests(object));
  requests.set("pods", api::Quantity(1));
  api::Pod pod = api::Pod::from_json(object);
  const Value& status = api::field(object, "status");
  const api::Labels annotations = metadata.annotations();
  OwnedPod read{.key = metadata.key(),
                .uid = std::string(metadata.uid()),
                .owner = *owner,
                .node = std::move(pod.node_name),
                .claim = std::string(annotations.find(kClaimAnnotation).value_or("")),
                .priority = pod.priority,
                .is_being_deleted = pod.being_deleted,
                .has_succeeded = pod.phase == api::PodPhase::Succeeded,
                .has_failed = pod.phase == api::PodPhase::Failed,
                .created = metadata.creation_time().value_or(Time()),
                .deleted = metadata.deletion_time(),
                .wants_rebuild = wish_of(metadata.labels()),
                .ttl = cel::parse_duration(annotations.find(kTtlAnnotation).value_or("")),
                .policy = annotations.find(kPolicyAnnotation) == "FallbackOnly"
                              ? HoldPolicy::FallbackOnly
                              : HoldPolicy::Prefer,
                .had_to_go = was_sent_away(status),
                .requests = std::move(requests),
                .ports = host_ports_of(object),
                .tolerations = std::move(pod.tolerations)};
  return read;
}

}  // namespace berth::nodes

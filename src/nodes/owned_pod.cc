// Tested by rebuilding_test.cc.
#include "nodes/owned_pod.h"

#include <utility>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "api/kinds/pod.h"
#include "api/pod_requests.h"
#include "base/strings.h"
#include "cel/time_arithmetic.h"
#include "nodes/pod_facts.h"

namespace berth::nodes {
namespace {

using json::Value;

constexpr std::size_t kQuoteMax = 64;

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

// What the label and the annotations of a pod say. What makes no sense is as if it were not there,
// but for the label: nobody gets room that was not clearly asked for.
struct Wishes {
  std::optional<bool> rebuild = std::nullopt;
  std::optional<Duration> ttl = std::nullopt;
  HoldPolicy policy = HoldPolicy::Prefer;
  std::string misread = {};

  void complain(std::string_view key, std::string_view value, std::string_view advice) {
    misread += fmt::format("{}{} is {}, {}", misread.empty() ? "" : "; ", key,
                           quote(cut_utf8(value, kQuoteMax)), advice);
  }
};

Wishes wishes_of(const api::Metadata& metadata) {
  Wishes wishes;
  if (const auto label = metadata.labels().find(kRebuildLabel)) {
    wishes.rebuild = *label == "true";
    if (*label != "true" && *label != "false") {
      wishes.complain(kRebuildLabel, *label, "not true or false: no room is kept");
    }
  }
  if (const auto text = metadata.annotations().find(kTtlAnnotation)) {
    const auto ttl = cel::parse_duration(*text);
    if (ttl && *ttl > Duration::zero()) {
      wishes.ttl = ttl;
    } else {
      wishes.complain(kTtlAnnotation, *text, "not a length of time such as 10m: the usual counts");
    }
  }
  if (const auto policy = metadata.annotations().find(kPolicyAnnotation)) {
    if (*policy == "FallbackOnly") {
      wishes.policy = HoldPolicy::FallbackOnly;
    } else if (*policy != "Prefer") {
      wishes.complain(kPolicyAnnotation, *policy, "not Prefer or FallbackOnly: Prefer counts");
    }
  }
  return wishes;
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
  Wishes wishes = wishes_of(metadata);
  OwnedPod read{.key = metadata.key(),
                .uid = std::string(metadata.uid()),
                .owner = *owner,
                .node = std::move(pod.node_name),
                .claim = std::string(metadata.annotations().find(kClaimAnnotation).value_or("")),
                .priority = pod.priority,
                .is_being_deleted = pod.being_deleted,
                .has_succeeded = pod.phase == api::PodPhase::Succeeded,
                .has_failed = pod.phase == api::PodPhase::Failed,
                .created = metadata.creation_time().value_or(Time()),
                .deleted = metadata.deletion_time(),
                .wants_rebuild = wishes.rebuild,
                .ttl = wishes.ttl,
                .policy = wishes.policy,
                .misread = std::move(wishes.misread),
                .had_to_go = was_sent_away(status),
                .requests = std::move(requests),
                .ports = host_ports_of(object),
                .tolerations = std::move(pod.tolerations)};
  return read;
}

}  // namespace berth::nodes

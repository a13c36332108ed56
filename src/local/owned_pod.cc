#include "local/owned_pod.h"

#include <algorithm>
#include <tuple>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "api/kinds/pod.h"
#include "api/metadata.h"
#include "base/strings.h"

namespace berth::local {
namespace {

using json::Value;

constexpr std::string_view kDeletionCost = "controller.kubernetes.io/pod-deletion-cost";

Value pod_of(const Value& owner) {
  const Value& pattern = api::field(api::field(owner, "spec"), "template");
  Value pod = Value::object({{"apiVersion", "v1"}, {"kind", "Pod"}});
  Value& metadata = pod["metadata"];
  metadata["namespace"] = api::Metadata(owner).namespace_name();
  for (const std::string_view copied : {"labels", "annotations", "finalizers"}) {
    const Value& value = api::field(api::field(pattern, "metadata"), copied);
    if (!value.is_null()) metadata[copied] = value;
  }
  metadata["ownerReferences"] = Value::array({controller_reference(owner)});
  pod["spec"] = api::field(pattern, "spec");
  return pod;
}

std::int64_t restarts_of(const Value& status) {
  std::int64_t most = 0;
  for (const Value& container : api::elements_field(status, "containerStatuses")) {
    most = std::max(most, api::integer_field(container, "restartCount").value_or(0));
  }
  return most;
}

}  // namespace

Value controller_reference(const Value& owner) {
  const api::Metadata metadata(owner);
  return api::OwnerReference{.api_version = api::text_field(owner, "apiVersion"),
                             .kind = api::text_field(owner, "kind"),
                             .name = std::string(metadata.name()),
                             .uid = std::string(metadata.uid()),
                             .is_controller = true,
                             .blocks_owner_deletion = true}
      .to_json();
}

Value pod_with_made_up_name(const Value& owner) {
  Value pod = pod_of(owner);
  pod["metadata"]["generateName"] = std::string(api::Metadata(owner).name()) + "-";
  return pod;
}

Value pod_named(const Value& owner, std::string_view name) {
  Value pod = pod_of(owner);
  pod["metadata"]["name"] = name;
  return pod;
}

OwnedPod OwnedPod::of(const Value& object) {
  const api::Pod pod = api::Pod::from_json(object);
  const api::Metadata metadata(object);
  const Value& status = api::field(object, "status");
  OwnedPod owned{.object = &object,
                 .is_active = !pod.is_terminal() && !pod.being_deleted,
                 .is_bound = pod.is_bound(),
                 .is_running = pod.phase == api::PodPhase::Running,
                 .is_ready = api::is_condition_true(object, "Ready"),
                 .created = metadata.creation_time().value_or(Time()),
                 .restarts = restarts_of(status)};
  if (const Value* ready = api::find_condition(api::field(status, "conditions"), "Ready")) {
    owned.ready_since = api::time_field(*ready, "lastTransitionTime");
  }
  if (const auto cost = metadata.annotations().find(kDeletionCost)) {
    owned.deletion_cost = parse_int64(*cost).value_or(0);
  }
  return owned;
}

std::vector<OwnedPod> owned_pods(Objects pods) {
  std::vector<OwnedPod> owned;
  owned.reserve(pods.size());
  for (const Value* pod : pods) owned.push_back(OwnedPod::of(*pod));
  return owned;
}

bool goes_first(const OwnedPod& a, const OwnedPod& b) {
  const auto name = [](const OwnedPod& pod) { return api::Metadata(*pod.object).name(); };
  const auto rank = [](const OwnedPod& pod) {
    return std::tuple(pod.is_bound, pod.is_running, pod.is_ready, pod.deletion_cost);
  };
  if (rank(a) != rank(b)) return rank(a) < rank(b);
  if (a.ready_since != b.ready_since) return a.ready_since > b.ready_since;
  if (a.restarts != b.restarts) return a.restarts > b.restarts;
  if (a.created != b.created) return a.created > b.created;
  return name(a) < name(b);
}

}  // namespace berth::local

#include "apiserver/strategies/pod_status_update.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "apiserver/defaults/rules.h"
#include "apiserver/strategies/pod_errors.h"
#include "apiserver/tables/cells.h"

namespace berth::apiserver {
namespace {

using json::Value;
using Causes = std::vector<Cause>;

const Value* find_named(std::span<const Value> list, std::string_view name) {
  const auto found = std::ranges::find_if(
      list, [&](const Value& item) { return api::text_field(item, "name") == name; });
  return found == list.end() ? nullptr : &*found;
}

// Whether the container may run again after it ended with that code. Its own rules, then its own
// policy, go before those of the pod.
bool may_restart(const Value& spec, const Value& container, std::int64_t exit_code) {
  std::string policy = api::text_field(container, "restartPolicy");
  if (policy.empty()) {
    policy = api::text_field(spec, "restartPolicy");
  } else {
    for (const Value& rule : api::elements_field(container, "restartPolicyRules")) {
      const auto codes = at(rule, "exitCodes.values").elements();
      const bool is_listed = std::ranges::find(codes, Value(exit_code)) != codes.end();
      const bool is_in = text_at(rule, "exitCodes.operator") == "In";
      if (is_listed == is_in && api::text_field(rule, "action") == "Restart") return true;
    }
  }
  return policy == "Always" || (policy == "OnFailure" && exit_code != 0);
}

struct ContainerLists {
  std::string_view containers;  // In the spec.
  std::string_view statuses;
};

Causes check_ended(const Value& before, const Value& after, const ContainerLists& lists) {
  Causes causes;
  const Value& spec = api::field(before, "spec");
  const auto old_statuses = api::elements_field(api::field(before, "status"), lists.statuses);
  const auto statuses = api::elements_field(api::field(after, "status"), lists.statuses);
  for (std::size_t i = 0; i < old_statuses.size(); ++i) {
    const Value& terminated = at(old_statuses[i], "state.terminated");
    if (!terminated.is_object()) continue;
    const std::string name = api::text_field(old_statuses[i], "name");
    const Value* status = find_named(statuses, name);
    if (!status || at(*status, "state.terminated").is_object()) continue;
    const Value* container = find_named(api::elements_field(spec, lists.containers), name);
    if (container && may_restart(spec, *container, integer_at(terminated, "exitCode"))) continue;
    causes.push_back(forbidden_field(fmt::format("status.{}[{}].state", lists.statuses, i),
                                     "may not be transitioned to non-terminated state"));
  }
  return causes;
}

Causes check_status(const Value& before, const Value& after) {
  Causes causes;
  const std::string nominated = text_at(after, "status.nominatedNodeName");
  const bool is_bound = !text_at(before, "spec.nodeName").empty();
  if (is_bound && !nominated.empty() && nominated != text_at(before, "status.nominatedNodeName")) {
    causes.push_back(forbidden_field("status.nominatedNodeName",
                                     "may not be set on pods that are already bound to a node"));
  }
  if (text_at(after, "status.qosClass") != text_at(before, "status.qosClass")) {
    causes.push_back(
        invalid_field("status.qosClass", at(after, "status.qosClass"), "field is immutable"));
  }
  for (const ContainerLists& lists :
       {ContainerLists{"containers", "containerStatuses"},
        ContainerLists{"initContainers", "initContainerStatuses"},
        ContainerLists{"ephemeralContainers", "ephemeralContainerStatuses"}}) {
    for (Cause& cause : check_ended(before, after, lists)) causes.push_back(std::move(cause));
  }
  return causes;
}

// Clients that do not know the field would clear it.
void keep_generation(Value& object, const Value& old) {
  const Value& generation = api::field(old, "observedGeneration");
  if (generation.is_null() || api::integer_field(object, "observedGeneration").value_or(0) != 0) {
    return;
  }
  object["observedGeneration"] = generation;
}

Value with_kept_facts(Value status, const Value& old) {
  if (is_missing(status.find("qosClass")) && old.find("qosClass")) {
    status["qosClass"] = *old.find("qosClass");
  }
  keep_generation(status, old);
  Value* conditions = status.find("conditions");
  if (!conditions) return status;
  for (Value& condition : conditions->elements()) {
    const Value* before =
        api::find_condition(api::field(old, "conditions"), api::text_field(condition, "type"));
    if (before && condition.is_object()) keep_generation(condition, *before);
  }
  return status;
}

}  // namespace

Result<Value> prepare_pod_status_update(const Value& before, Value after) {
  after["spec"] = api::field(before, "spec");
  const Value& owners = at(before, "metadata.ownerReferences");
  if (Value* metadata = object_under(after, "metadata")) {
    metadata->erase("ownerReferences");
    if (!owners.is_null()) (*metadata)["ownerReferences"] = owners;
  }
  if (Value* status = object_under(after, "status")) {
    *status = with_kept_facts(std::move(*status), api::field(before, "status"));
  }
  Causes causes = check_status(before, after);
  if (!causes.empty()) return failure(invalid_pod(after, std::move(causes)));
  return after;
}

}  // namespace berth::apiserver

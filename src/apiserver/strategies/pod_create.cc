#include "apiserver/strategies/pod_create.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "apiserver/strategies/pod_conditions.h"
#include "apiserver/strategies/pod_errors.h"
#include "apiserver/strategies/pod_qos.h"

namespace berth::apiserver {
namespace {

using json::Value;

std::unexpected<Error> forbidden(const Value& pod, std::string_view why) {
  return failure(Code::Forbidden, fmt::format(R"(pods "{}" is forbidden: {})", pod_name(pod), why));
}

Result<PriorityClassFacts> priority_of(const Value& pod, const PodLookups& lookups) {
  const std::string name = api::text_field(api::field(pod, "spec"), "priorityClassName");
  if (name.empty()) return lookups.default_priority_class().value_or(PriorityClassFacts{});
  auto found = lookups.priority_class(name);
  if (!found) return forbidden(pod, fmt::format("no PriorityClass with name {} was found", name));
  return *std::move(found);
}

Result<Value> with_priority(Value pod, const PodLookups& lookups) {
  ASSIGN_OR_RETURN(const PriorityClassFacts priority, priority_of(pod, lookups));
  Value& spec = pod["spec"];
  const auto given = api::integer_field(spec, "priority");
  if (given && *given != priority.value) {
    return forbidden(pod, fmt::format("the integer value of priority ({}) must not be provided in "
                                      "pod spec; priority admission controller computed {} from "
                                      "the given PriorityClass name",
                                      *given, priority.value));
  }
  const std::string policy = api::text_field(spec, "preemptionPolicy");
  if (!policy.empty() && policy != priority.preemption_policy) {
    return forbidden(pod, fmt::format("the string value of PreemptionPolicy ({}) must not be "
                                      "provided in pod spec; priority admission controller "
                                      "computed {} from the given PriorityClass name",
                                      policy, priority.preemption_policy));
  }
  if (!priority.name.empty()) spec["priorityClassName"] = priority.name;
  spec["priority"] = priority.value;
  spec["preemptionPolicy"] = priority.preemption_policy;
  return pod;
}

bool has_toleration(const Value& spec, std::string_view key) {
  return std::ranges::any_of(api::elements_field(spec, "tolerations"), [&](const Value& item) {
    const std::string tolerated = api::text_field(item, "key");
    const std::string effect = api::text_field(item, "effect");
    return (tolerated == key || tolerated.empty()) && (effect == "NoExecute" || effect.empty());
  });
}

// The older name of the field is still there for those who read it.
Value with_service_account(Value spec) {
  std::string name = api::text_field(spec, "serviceAccountName");
  if (name.empty()) name = api::text_field(spec, "serviceAccount");
  if (name.empty()) name = "default";
  spec["serviceAccountName"] = name;
  spec["serviceAccount"] = name;
  return spec;
}

}  // namespace

// A pod stays for five minutes on a node that is gone, in case it comes back.
Value with_default_tolerations(Value spec) {
  for (const char* key : {"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"}) {
    const Value* tolerations = spec.find("tolerations");
    const bool is_list = !tolerations || tolerations->is_null() || tolerations->is_array();
    if (!is_list || has_toleration(spec, key)) continue;
    spec["tolerations"].push_back(Value::object({{"key", key},
                                                 {"operator", "Exists"},
                                                 {"effect", "NoExecute"},
                                                 {"tolerationSeconds", 300}}));
  }
  return spec;
}

Result<Value> prepare_new_pod(Value pod, const PodLookups& lookups, Time now) {
  if (!api::field(pod, "spec").is_object()) pod["spec"] = Value::object();
  ASSIGN_OR_RETURN(const std::string_view qos_class, pod_qos_class(pod));
  ASSIGN_OR_RETURN(pod, with_priority(std::move(pod), lookups));
  pod["spec"] = with_service_account(with_default_tolerations(std::move(pod["spec"])));
  pod["status"] = Value::object({{"phase", "Pending"}, {"qosClass", qos_class}});
  if (api::elements_field(pod["spec"], "schedulingGates").empty()) return pod;
  return with_pod_condition(std::move(pod),
                            {.type = "PodScheduled",
                             .status = "False",
                             .reason = "SchedulingGated",
                             .message = "Scheduling is blocked due to non-empty scheduling gates"},
                            now);
}

}  // namespace berth::apiserver

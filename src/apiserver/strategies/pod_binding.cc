#include "apiserver/strategies/pod_binding.h"

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "apiserver/defaults/rules.h"
#include "apiserver/strategies/pod_conditions.h"
#include "apiserver/strategies/pod_errors.h"
#include "apiserver/tables/cells.h"

namespace berth::apiserver {
namespace {

using json::Value;

// Kubernetes answers a bad binding with 500 and no reason; we say what is wrong.
Status check_binding(const Value& pod, const Value& binding) {
  if (text_at(binding, "metadata.name") != pod_name(pod)) {
    return failure(Code::BadRequest, "name in URL does not match name in Binding object");
  }
  const std::string kind = text_at(binding, "target.kind");
  std::vector<Cause> causes;
  if (!kind.empty() && kind != "Node") {
    causes.push_back({.reason = "FieldValueNotSupported",
                      .message = fmt::format(
                          R"(Unsupported value: "{}": supported values: "Node", "<empty>")", kind),
                      .field = "target.kind"});
  }
  if (text_at(binding, "target.name").empty()) causes.push_back(required_field("target.name"));
  if (!causes.empty()) return failure(invalid_pod(pod, std::move(causes)));
  return {};
}

Status check_preconditions(const Value& pod, const Value& binding) {
  for (const char* name : {"uid", "resourceVersion"}) {
    const std::string wanted = api::text_field(api::field(binding, "metadata"), name);
    const std::string found = api::text_field(api::field(pod, "metadata"), name);
    if (wanted.empty() || wanted == found) continue;
    return failure(pod_conflict(
        "pods/binding", pod,
        fmt::format("Precondition failed: {} in precondition: {}, {} in object meta: {}", name,
                    wanted, name, found)));
  }
  return {};
}

Status check_unbound(const Value& pod) {
  const auto refuse = [&](std::string why) {
    return failure(pod_conflict("pods/binding", pod, why));
  };
  const std::string name = pod_name(pod);
  if (!at(pod, "metadata.deletionTimestamp").is_null()) {
    return refuse(fmt::format("pod {} is being deleted, cannot be assigned to a host", name));
  }
  if (const std::string node = text_at(pod, "spec.nodeName"); !node.empty()) {
    return refuse(fmt::format(R"(pod {} is already assigned to node "{}")", name, node));
  }
  if (at(pod, "spec.schedulingGates").size() > 0) {
    return refuse(fmt::format("pod {} has non-empty .spec.schedulingGates", name));
  }
  return {};
}

}  // namespace

Result<Value> bind_pod(Value pod, const Value& binding, Time now) {
  RETURN_IF_ERROR(check_binding(pod, binding));
  RETURN_IF_ERROR(check_preconditions(pod, binding));
  RETURN_IF_ERROR(check_unbound(pod));
  for (const char* map : {"annotations", "labels"}) {
    Value* metadata = object_under(pod, "metadata");
    const auto given = api::field(api::field(binding, "metadata"), map).members();
    Value* target = given.empty() || !metadata ? nullptr : object_under(*metadata, map);
    for (const json::Member& member : given) {
      if (target) (*target)[member.name()] = member.value;
    }
  }
  if (Value* spec = object_under(pod, "spec"))
    (*spec)["nodeName"] = text_at(binding, "target.name");
  // Whoever waited for the nominated node need not wait any longer.
  if (Value* status = object_under(pod, "status")) status->erase("nominatedNodeName");
  return with_pod_condition(std::move(pod), {.type = "PodScheduled", .status = "True"}, now);
}

}  // namespace berth::apiserver

#include "apiserver/strategies/pod_conditions.h"

#include <string>
#include <utility>

#include "api/kinds/fields.h"
#include "apiserver/defaults/rules.h"
#include "base/rfc3339.h"

namespace berth::apiserver {

using json::Value;

Value with_pod_condition(Value pod, const PodCondition& condition, Time now) {
  Value fresh = Value::object({{"type", condition.type},
                               {"status", condition.status},
                               {"lastProbeTime", nullptr},
                               {"lastTransitionTime", format_seconds(now)}});
  if (!condition.reason.empty()) fresh["reason"] = condition.reason;
  if (!condition.message.empty()) fresh["message"] = condition.message;

  Value* status = object_under(pod, "status");
  if (!status) return pod;
  Value& conditions = (*status)["conditions"];
  if (!conditions.is_array()) conditions = Value::array();
  for (Value& old : conditions.elements()) {
    if (api::text_field(old, "type") != condition.type) continue;
    const Value* since = old.find("lastTransitionTime");
    const bool is_same = api::text_field(old, "status") == condition.status;
    if (is_same && since) fresh["lastTransitionTime"] = Value(*since);
    old = std::move(fresh);
    return pod;
  }
  conditions.push_back(std::move(fresh));
  return pod;
}

}  // namespace berth::apiserver

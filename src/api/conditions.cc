#include "api/conditions.h"

#include <cstddef>
#include <utility>

#include "base/rfc3339.h"
#include "json/text_of.h"

namespace berth::api {
namespace {

// In the order of Kubernetes' own fields.
json::Value build(const Condition& condition, Time now) {
  json::Value built = json::Value::object(
      {{"type", condition.type}, {"status", condition_status_name(condition.status)}});
  if (condition.observed_generation != 0) {
    built["observedGeneration"] = condition.observed_generation;
  }
  built["lastTransitionTime"] = format_seconds(now);
  built["reason"] = condition.reason;
  built["message"] = condition.message;
  return built;
}

json::Value updated(json::Value existing, const Condition& condition, Time now) {
  const std::string_view status = condition_status_name(condition.status);
  if (text_of(existing, "status") != status) {
    existing["status"] = status;
    existing["lastTransitionTime"] = format_seconds(now);
  }
  existing["reason"] = condition.reason;
  existing["message"] = condition.message;
  if (condition.observed_generation != 0) {
    existing["observedGeneration"] = condition.observed_generation;
  } else {
    existing.erase("observedGeneration");
  }
  return existing;
}

bool has_status(const json::Value& object, std::string_view type, std::string_view status) {
  const json::Value* conditions = object.find_path({"status", "conditions"});
  const json::Value* found = conditions ? find_condition(*conditions, type) : nullptr;
  return found && text_of(*found, "status") == status;
}

}  // namespace

std::string_view condition_status_name(ConditionStatus status) {
  switch (status) {
    case ConditionStatus::True:
      return "True";
    case ConditionStatus::False:
      return "False";
    case ConditionStatus::Unknown:
      break;
  }
  return "Unknown";
}

const json::Value* find_condition(const json::Value& conditions, std::string_view type) {
  for (const json::Value& condition : conditions.elements()) {
    if (text_of(condition, "type") == type) return &condition;
  }
  return nullptr;
}

json::Value with_condition(json::Value conditions, const Condition& condition, Time now) {
  if (!conditions.is_array()) conditions = json::Value::array();
  for (json::Value& existing : conditions.elements()) {
    if (text_of(existing, "type") != condition.type) continue;
    existing = updated(std::move(existing), condition, now);
    return conditions;
  }
  conditions.push_back(build(condition, now));
  return conditions;
}

json::Value without_condition(json::Value conditions, std::string_view type) {
  for (std::size_t i = conditions.elements().size(); i-- > 0;) {
    if (text_of(conditions.elements()[i], "type") == type) conditions.erase_at(i);
  }
  return conditions;
}

bool is_condition_true(const json::Value& object, std::string_view type) {
  return has_status(object, type, "True");
}

bool is_condition_false(const json::Value& object, std::string_view type) {
  return has_status(object, type, "False");
}

}  // namespace berth::api

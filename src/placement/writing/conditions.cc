#include "placement/writing/conditions.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/rfc3339.h"
#include "base/strings.h"

namespace berth::placement {
namespace {

constexpr std::string_view kSatisfied = "PlacementSatisfied";
constexpr std::string_view kMisconfigured = "PlacementMisconfigured";

Condition satisfied(std::string_view status, std::string_view reason, std::string message) {
  return {std::string(kSatisfied), std::string(status), std::string(reason), std::move(message)};
}

Condition make_satisfied(const api::Placement& placement, const Schedule& schedule,
                         const ScheduleOutcome& outcome) {
  if (!schedule.has_bindings) {
    return satisfied("False", "NoManagedClusterSetBindings",
                     "No valid ManagedClusterSetBindings found in placement namespace");
  }
  if (schedule.eligible_sets.empty()) {
    return satisfied("False", "NoIntersection",
                     fmt::format("None of ManagedClusterSets [{}] is bound to placement namespace",
                                 join(placement.cluster_sets, ",")));
  }
  if (schedule.available.empty()) {
    return satisfied("False", "AllManagedClusterSetsEmpty",
                     fmt::format("All ManagedClusterSets [{}] have no member ManagedCluster",
                                 join(schedule.eligible_sets, ",")));
  }
  if (outcome.code == ScheduleOutcome::Code::Error) {
    return satisfied("False", "NotAllDecisionsScheduled", outcome.message);
  }
  if (schedule.chosen.empty()) {
    return satisfied("False", "NoManagedClusterMatched",
                     "No ManagedCluster matches any of the cluster predicate");
  }
  if (schedule.unscheduled == 0) {
    return satisfied("True", "AllDecisionsScheduled", "All cluster decisions scheduled");
  }
  return satisfied("False", "NotAllDecisionsScheduled",
                   fmt::format("{} cluster decisions unscheduled", schedule.unscheduled));
}

Condition make_misconfigured(const ScheduleOutcome& outcome) {
  if (outcome.code == ScheduleOutcome::Code::Misconfigured) {
    return {std::string(kMisconfigured), "True", "Misconfigured",
            outcome.plugin + ":" + outcome.message};
  }
  return {std::string(kMisconfigured), "False", "Succeedconfigured",
          "Placement configurations check pass"};
}

// Conditions refuse longer messages.
constexpr std::size_t kMessageMax = 32768;

std::string cut(std::string message) {
  message.resize(cut_utf8(message, kMessageMax).size());
  return message;
}

void update(json::Value& entry, const Condition& condition, Time now, std::int64_t generation) {
  const json::Value* status = entry.find("status");
  const bool is_transition = !status || status->string_or_empty() != condition.status;
  entry["type"] = condition.type;
  entry["status"] = condition.status;
  if (is_transition || !entry.find("lastTransitionTime")) {
    entry["lastTransitionTime"] = format_seconds(now);
  }
  entry["reason"] = condition.reason;
  entry["message"] = condition.message;
  if (generation != 0) {
    entry["observedGeneration"] = generation;
  } else {
    entry.erase("observedGeneration");
  }
}

}  // namespace

std::vector<Condition> make_conditions(const api::Placement& placement, const Schedule& schedule,
                                       const ScheduleOutcome& outcome) {
  std::vector<Condition> conditions = {make_misconfigured(outcome),
                                       make_satisfied(placement, schedule, outcome)};
  for (const std::string& remark : schedule.remarks) conditions[1].message += "; " + remark;
  for (Condition& condition : conditions) condition.message = cut(std::move(condition.message));
  return conditions;
}

std::vector<Condition> make_conditions_of_kept(const ScheduleOutcome& outcome) {
  Condition misconfigured = make_misconfigured(outcome);
  misconfigured.message = cut(std::move(misconfigured.message));
  return {misconfigured,
          satisfied("False", "NotAllDecisionsScheduled",
                    "The placement is misconfigured and keeps the decisions it has")};
}

json::Value with_conditions(const json::Value& list, const std::vector<Condition>& conditions,
                            Time now, std::int64_t generation) {
  json::Value updated = list.is_array() ? list : json::Value::array();
  for (const Condition& condition : conditions) {
    const auto entries = updated.elements();
    const auto same = std::ranges::find_if(entries, [&condition](const json::Value& entry) {
      const json::Value* type = entry.find("type");
      return type && type->string_or_empty() == condition.type;
    });
    json::Value& entry = same == entries.end() ? updated.push_back(json::Value::object()) : *same;
    update(entry, condition, now, generation);
  }
  return updated;
}

}  // namespace berth::placement

#include "fleet/work/work_status.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "fleet/work/condition_rules.h"
#include "fleet/work/members.h"
#include "fleet/work/names.h"

namespace berth::fleet {
namespace {

using api::Condition;
using api::ConditionStatus;
using api::field;
using api::text_field;

Condition condition(std::string_view type, ConditionStatus status, std::string reason,
                    std::string message) {
  return {.type = std::string(type),
          .status = status,
          .reason = std::move(reason),
          .message = std::move(message)};
}

bool is_same_object(ResourceMeta a, const ResourceMeta& b) {
  a.ordinal = b.ordinal;
  return a == b;
}

// What the status says of the manifest so far; null when it is new.
const json::Value* find_entry(const json::Value& work, const ResourceMeta& meta) {
  const auto entries =
      api::elements_field(field(field(work, "status"), "resourceStatus"), "manifests");
  const auto found = std::ranges::find_if(entries, [&](const json::Value& entry) {
    return is_same_object(ResourceMeta::from_json(field(entry, "resourceMeta")), meta);
  });
  return found == entries.end() ? nullptr : &*found;
}

// A condition of an older generation makes room for a new one, with a new time: rollouts measure
// how long the current generation takes by it.
json::Value with_new_condition(json::Value conditions, const Condition& made, Time now) {
  const json::Value* old = api::find_condition(conditions, made.type);
  if (old &&
      api::integer_field(*old, "observedGeneration").value_or(0) != made.observed_generation) {
    conditions = api::without_condition(std::move(conditions), made.type);
  }
  return api::with_condition(std::move(conditions), made, now);
}

bool is_made_by_rule(const json::Value& condition) {
  return text_field(condition, "reason").starts_with(kRuleReasonPrefix);
}

json::Value without_old_rules(const json::Value& conditions, std::int64_t generation) {
  json::Value kept = json::Value::array();
  for (const json::Value& one : conditions.elements()) {
    const bool is_old = is_made_by_rule(one) &&
                        api::integer_field(one, "observedGeneration").value_or(0) != generation;
    if (!is_old) kept.push_back(one);
  }
  return kept;
}

Condition applied_condition(const ManifestReport& report) {
  if (report.applied.ok()) {
    return condition(kWorkApplied, ConditionStatus::True, "AppliedManifestComplete",
                     "Apply manifest complete");
  }
  return condition(kWorkApplied, ConditionStatus::False, report.failure_reason,
                   "Failed to apply manifest: " + report.applied.error().message);
}

json::Value entry_of(const ManifestReport& report, const json::Value* old, std::int64_t generation,
                     Time now) {
  json::Value conditions = old ? field(*old, "conditions") : json::Value();
  json::Value feedback = old ? field(*old, "statusFeedback") : json::Value();
  if (!feedback.is_object()) feedback = json::Value::object();

  Condition applied = applied_condition(report);
  applied.observed_generation = generation;
  conditions = with_new_condition(std::move(conditions), applied, now);
  conditions = api::with_condition(std::move(conditions), report.available, now);
  if (report.feedback) {
    const json::Value& had = field(feedback, "values");
    const json::Value& values = report.feedback->values;
    const bool is_same = values.size() == 0 ? had.size() == 0 : had == values;
    if (!is_same) {  // The time of the condition tells when the values changed.
      conditions = api::without_condition(std::move(conditions), kFeedbackSynced);
      feedback = json::Value::object();
      if (values.size() > 0) feedback["values"] = values;
    }
    conditions = api::with_condition(std::move(conditions), report.feedback->condition, now);
  }
  for (Condition made : report.rules) {
    made.observed_generation = generation;
    conditions = api::with_condition(std::move(conditions), made, now);
  }
  return json::Value::object({{"resourceMeta", report.meta.to_json()},
                              {"statusFeedback", std::move(feedback)},
                              {"conditions", without_old_rules(conditions, generation)}});
}

struct Count {
  std::size_t yes = 0;
  std::size_t no = 0;
  std::size_t unknown = 0;
  std::string message = {};  // Of the last that has one.

  std::size_t total() const { return yes + no + unknown; }
};

// Of the availability and of every condition made by rules, over all manifests.
std::map<std::string, Count> count_conditions(const json::Value& entries) {
  std::map<std::string, Count> counts = {{std::string(kWorkAvailable), {}}};
  for (const json::Value& entry : entries.elements()) {
    for (const json::Value& one : api::elements_field(entry, "conditions")) {
      const std::string type = text_field(one, "type");
      if (type != kWorkAvailable && !is_made_by_rule(one)) continue;
      Count& count = counts[type];
      const std::string status = text_field(one, "status");
      if (status == "True") ++count.yes;
      if (status == "False") ++count.no;
      if (status == "Unknown") ++count.unknown;
      if (std::string message = text_field(one, "message"); !message.empty()) {
        count.message = std::move(message);
      }
    }
  }
  return counts;
}

Condition whole_availability(const Count& count, std::size_t total) {
  if (count.no > 0) {
    return condition(kWorkAvailable, ConditionStatus::False, "ResourcesNotAvailable",
                     fmt::format("{} of {} resources are not available", count.no, total));
  }
  if (count.unknown > 0) {
    return condition(kWorkAvailable, ConditionStatus::Unknown, "ResourcesStatusUnknown",
                     fmt::format("{} of {} resources have unknown status", count.unknown, total));
  }
  if (count.yes == 0) {
    return condition(kWorkAvailable, ConditionStatus::Unknown, "ResourcesStatusUnknown",
                     "cannot get any available resource ");
  }
  return condition(kWorkAvailable, ConditionStatus::True, "ResourcesAvailable",
                   "All resources are available");
}

// Something progresses as long as any of it does; everything else holds only if all of it does.
ConditionStatus whole_status(std::string_view type, const Count& count) {
  if (type == kWorkProgressing) {
    if (count.yes > 0) return ConditionStatus::True;
    return count.unknown > 0 ? ConditionStatus::Unknown : ConditionStatus::False;
  }
  if (count.no > 0) return ConditionStatus::False;
  return count.unknown > 0 || count.yes == 0 ? ConditionStatus::Unknown : ConditionStatus::True;
}

Condition whole_rule(const std::string& type, const Count& count) {
  const bool is_alone = count.total() == 1 && !count.message.empty();
  return condition(type, whole_status(type, count), "ConditionRulesAggregated",
                   is_alone ? count.message
                            : fmt::format("Aggregated from {} manifest conditions", count.total()));
}

Condition whole_applied(const std::vector<ManifestReport>& reports) {
  const bool is_complete = std::ranges::all_of(
      reports, [](const ManifestReport& report) { return report.applied.ok(); });
  if (is_complete) {
    return condition(kWorkApplied, ConditionStatus::True, "AppliedManifestWorkComplete",
                     "Apply manifest work complete");
  }
  return condition(kWorkApplied, ConditionStatus::False, "AppliedManifestWorkFailed",
                   "Failed to apply manifest work");
}

}  // namespace

Condition availability(const ResourceMeta& meta, const Status& fetched) {
  if (!meta.is_complete()) {
    return condition(kWorkAvailable, ConditionStatus::Unknown, "IncompleteResourceMeta",
                     "Resource meta is incomplete");
  }
  if (fetched.ok()) {
    return condition(kWorkAvailable, ConditionStatus::True, "ResourceAvailable",
                     "Resource is available");
  }
  if (fetched.error().code == Code::NotFound) {
    return condition(kWorkAvailable, ConditionStatus::False, "ResourceNotAvailable",
                     "Resource is not available");
  }
  return condition(kWorkAvailable, ConditionStatus::Unknown, "FetchingResourceFailed",
                   "Failed to fetch resource: " + fetched.error().message);
}

json::Value with_status(json::Value work, const std::vector<ManifestReport>& reports, Time now) {
  if (reports.empty()) return work;
  const std::int64_t generation = api::Metadata(work).generation();
  json::Value entries = json::Value::array();
  for (const ManifestReport& report : reports) {
    entries.push_back(entry_of(report, find_entry(work, report.meta), generation, now));
  }
  json::Value conditions = field(field(work, "status"), "conditions");
  const auto add = [&](Condition made) {
    made.observed_generation = generation;
    conditions = api::with_condition(std::move(conditions), made, now);
  };
  add(whole_applied(reports));
  for (const auto& [type, count] : count_conditions(entries)) {
    add(type == kWorkAvailable ? whole_availability(count, reports.size())
                               : whole_rule(type, count));
  }
  json::Value& status = object_in(work, "status");
  status["conditions"] = without_old_rules(conditions, generation);
  object_in(status, "resourceStatus")["manifests"] = std::move(entries);
  return work;
}

bool is_complete(const json::Value& work, const ResourceMeta& meta) {
  const json::Value* entry = find_entry(work, meta);
  const json::Value* found =
      entry ? api::find_condition(field(*entry, "conditions"), kWorkComplete) : nullptr;
  return found && text_field(*found, "status") == "True";
}

}  // namespace berth::fleet

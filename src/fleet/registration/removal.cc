#include "fleet/registration/removal.h"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "base/check.h"
#include "base/strings.h"
#include "fleet/registration/names.h"

namespace berth::fleet {
namespace {

using json::Value;

constexpr std::string_view kPriority = "open-cluster-management.io/cleanup-priority";
constexpr std::int64_t kPriorityMax = 100;

std::int64_t priority_of(const Value& object) {
  const auto priority = parse_int64(api::read_facts(object).annotation(kPriority));
  return priority && *priority >= 0 && *priority <= kPriorityMax ? *priority : 0;
}

Value with_deleting(Value cluster, api::ConditionStatus status, std::string_view reason,
                    std::string_view message, Time now) {
  Value list = api::with_condition(api::field(api::field(cluster, "status"), "conditions"),
                                   {.type = std::string(kDeleting),
                                    .status = status,
                                    .reason = std::string(reason),
                                    .message = std::string(message)},
                                   now);
  cluster["status"]["conditions"] = std::move(list);
  return cluster;
}

}  // namespace

std::string_view content_name(Content content) {
  switch (content) {
    case Content::Addons:
      return "managedclusteraddons";
    case Content::Works:
      return "manifestworks";
    case Content::Scores:
      return "addonplacementscores";
  }
  CHECK(false);
}

std::vector<std::string> next_to_remove(std::span<const Value> objects) {
  std::map<std::int64_t, std::vector<std::string>> by_priority;
  for (const Value& object : objects) {
    std::vector<std::string>& names = by_priority[priority_of(object)];
    const api::Metadata metadata(object);
    if (!metadata.is_being_deleted()) names.emplace_back(metadata.name());
  }
  if (by_priority.empty()) return {};
  std::vector<std::string> names = std::move(by_priority.begin()->second);
  std::ranges::sort(names);
  return names;
}

Value with_remaining(Value cluster, const Remainder& remainder, Time now) {
  const auto pending = std::ranges::count_if(remainder.objects, [](const Value& object) {
    return !api::Metadata(object).finalizers().empty();
  });
  return with_deleting(
      std::move(cluster), api::ConditionStatus::False, "ResourceRemaining",
      // OCM's spelling, on which scripts rely.
      fmt::format("The resource {} is remaning, the remaining count is {}, the finalizer pending "
                  "count is {}",
                  content_name(remainder.content), remainder.objects.size(), pending),
      now);
}

Value with_nothing_remaining(Value cluster, Time now) {
  return with_deleting(std::move(cluster), api::ConditionStatus::True, "NoResource",
                       "No cleaned resource in cluster ns.", now);
}

Value with_removal_error(Value cluster, std::string_view message, Time now) {
  return with_deleting(std::move(cluster), api::ConditionStatus::False, "DeletingError", message,
                       now);
}

}  // namespace berth::fleet

#include "upkeep/namespace_teardown.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "base/strings.h"

namespace berth::upkeep {
namespace {

using api::Condition;
using api::ConditionStatus;

Condition condition(std::string type, const std::optional<std::string>& problem,
                    std::string bad_reason, std::string good_reason, std::string good_message) {
  if (problem) {
    return {.type = std::move(type),
            .status = ConditionStatus::True,
            .reason = std::move(bad_reason),
            .message = *problem};
  }
  return {.type = std::move(type),
          .status = ConditionStatus::False,
          .reason = std::move(good_reason),
          .message = std::move(good_message)};
}

std::optional<std::string> failed_content(const Teardown& teardown) {
  if (teardown.content_failures.empty()) return std::nullopt;
  std::vector<std::string> messages = teardown.content_failures;
  std::ranges::sort(messages);
  return fmt::format("Failed to delete all resource types, {} remaining: {}", messages.size(),
                     join(messages, ", "));
}

std::optional<std::string> content_left(const Teardown& teardown) {
  std::vector<std::string> parts;
  for (const Content& content : teardown.left) {
    if (content.count == 0) continue;
    parts.push_back(fmt::format("{}.{} has {} resource instances", content.resource.resource,
                                content.resource.group, content.count));
  }
  if (parts.empty()) return std::nullopt;
  std::ranges::sort(parts);
  return "Some resources are remaining: " + join(parts, ", ");
}

std::optional<std::string> finalizers_left(const Teardown& teardown) {
  std::map<std::string, std::int64_t> sums;
  for (const Content& content : teardown.left) {
    for (const auto& [finalizer, count] : content.finalizers) sums[finalizer] += count;
  }
  if (sums.empty()) return std::nullopt;
  std::vector<std::string> parts;
  for (const auto& [finalizer, count] : sums) {
    parts.push_back(fmt::format("{} in {} resource instances", finalizer, count));
  }
  return "Some content in the namespace has finalizers remaining: " + join(parts, ", ");
}

}  // namespace

bool needs_teardown(const json::Value& object) {
  if (!api::Metadata(object).is_being_deleted()) return false;
  return std::ranges::count(api::texts_field(api::field(object, "spec"), "finalizers"),
                            kNamespaceFinalizer) > 0;
}

bool Teardown::is_complete() const {
  return !discovery_failure && content_failures.empty() &&
         std::ranges::all_of(left, [](const Content& content) { return content.count == 0; });
}

Duration Teardown::grace() const {
  Duration longest = Duration::zero();
  for (const Content& content : left) longest = std::max(longest, content.grace);
  return longest;
}

json::Value with_teardown_conditions(json::Value object, const Teardown& teardown, Time now) {
  const Condition conditions[] = {
      condition("NamespaceDeletionDiscoveryFailure", teardown.discovery_failure, "DiscoveryFailed",
                "ResourcesDiscovered", "All resources successfully discovered"),
      condition("NamespaceDeletionGroupVersionParsingFailure", std::nullopt, "",
                "ParsedGroupVersions", "All legacy kube types successfully parsed"),
      condition("NamespaceDeletionContentFailure", failed_content(teardown),
                "ContentDeletionFailed", "ContentDeleted",
                "All content successfully deleted, may be waiting on finalization"),
      condition("NamespaceContentRemaining", content_left(teardown), "SomeResourcesRemain",
                "ContentRemoved", "All content successfully removed"),
      condition("NamespaceFinalizersRemaining", finalizers_left(teardown), "SomeFinalizersRemain",
                "ContentHasNoFinalizers", "All content-preserving finalizers finished"),
  };
  json::Value list = api::field(api::field(object, "status"), "conditions");
  for (const Condition& one : conditions) list = with_condition(std::move(list), one, now);
  object["status"]["conditions"] = std::move(list);
  return object;
}

json::Value finalized(json::Value object) {
  json::Value kept = json::Value::array();
  for (const std::string& name : api::texts_field(api::field(object, "spec"), "finalizers")) {
    if (name != kNamespaceFinalizer) kept.push_back(name);
  }
  object["spec"]["finalizers"] = std::move(kept);
  return object;
}

}  // namespace berth::upkeep

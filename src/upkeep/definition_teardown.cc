#include "upkeep/definition_teardown.h"

#include <utility>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "upkeep/garbage.h"

namespace berth::upkeep {
namespace {

using api::ConditionStatus;
using json::Value;

Value with_terminating(Value definition, ConditionStatus status, std::string reason,
                       std::string_view message, Time now) {
  definition["status"]["conditions"] =
      api::with_condition(api::field(api::field(definition, "status"), "conditions"),
                          {.type = "Terminating",
                           .status = status,
                           .reason = std::move(reason),
                           .message = std::string(message)},
                          now);
  return definition;
}

}  // namespace

bool needs_cleanup(const Value& definition) {
  const api::Metadata metadata(definition);
  return metadata.is_being_deleted() && metadata.has_finalizer(kCleanupFinalizer);
}

std::optional<Instances> instances_of(const Value& definition) {
  if (!api::is_condition_true(definition, "Established")) return std::nullopt;
  const Value& spec = api::field(definition, "spec");
  Instances instances{
      .resource = {.group = api::text_field(spec, "group"),
                   .resource = api::text_field(
                       api::field(api::field(definition, "status"), "acceptedNames"), "plural")},
      .namespaced = api::text_field(spec, "scope") == "Namespaced"};
  if (instances.resource.resource.empty()) {
    instances.resource.resource = api::text_field(api::field(spec, "names"), "plural");
  }
  for (const Value& version : api::elements_field(spec, "versions")) {
    if (api::field(version, "served").as_bool() != true) continue;
    instances.resource.version = api::text_field(version, "name");
    break;
  }
  return instances;
}

Value with_cleanup_begun(Value definition, Time now) {
  return with_terminating(std::move(definition), ConditionStatus::True,
                          "InstanceDeletionInProgress", "CustomResource deletion is in progress",
                          now);
}

Value with_cleanup_failed(Value definition, std::string_view message, Time now) {
  return with_terminating(std::move(definition), ConditionStatus::True, "InstanceDeletionFailed",
                          message, now);
}

Value with_cleanup_done(Value definition, Time now) {
  const bool established = api::is_condition_true(definition, "Established");
  definition = with_terminating(
      std::move(definition), ConditionStatus::False,
      established ? "InstanceDeletionCompleted" : "NeverEstablished",
      established ? "removed all instances" : "resource was never established", now);
  return without_finalizer(std::move(definition), kCleanupFinalizer);
}

}  // namespace berth::upkeep

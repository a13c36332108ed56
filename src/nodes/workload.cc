#include "nodes/workload.h"

#include <algorithm>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "api/metadata.h"

namespace berth::nodes {
namespace {

using json::Value;

// As many as run side by side, and no more than are still to be completed.
std::int64_t expected_of_job(const Value& job) {
  const Value& spec = api::field(job, "spec");
  const Value& status = api::field(job, "status");
  const bool has_ended =
      api::is_condition_true(job, "Complete") || api::is_condition_true(job, "Failed");
  const bool is_suspended = api::field(spec, "suspend").as_bool().value_or(false);
  if (has_ended || is_suspended) return 0;
  const std::int64_t parallelism = api::int32_field(spec, "parallelism").value_or(1);
  const auto completions = api::int32_field(spec, "completions");
  const std::int64_t succeeded = api::int32_field(status, "succeeded").value_or(0);
  if (!completions) return succeeded > 0 ? 0 : parallelism;  // One success ends a work queue.
  return std::max<std::int64_t>(0, std::min(parallelism, *completions - succeeded));
}

}  // namespace

std::string_view workload_api_version(std::string_view kind) {
  if (kind == "Deployment" || kind == "ReplicaSet" || kind == "StatefulSet") return "apps/v1";
  return kind == "Job" ? "batch/v1" : "";
}

Workload Workload::from_json(std::string_view kind, const Value& object) {
  const api::Metadata metadata(object);
  Workload read{.key = metadata.key(),
                .root = {.api_version = std::string(workload_api_version(kind)),
                         .kind = std::string(kind),
                         .name = std::string(metadata.name()),
                         .uid = std::string(metadata.uid())},
                .is_being_deleted = metadata.is_being_deleted(),
                .names_its_pods = kind == "StatefulSet"};
  read.expected = kind == "Job"
                      ? expected_of_job(object)
                      : api::int32_field(api::field(object, "spec"), "replicas").value_or(1);
  if (const auto controller = metadata.controller()) {
    read.controller = {.api_version = controller->api_version,
                       .kind = controller->kind,
                       .name = controller->name,
                       .uid = controller->uid};
  }
  return read;
}

Workload Workload::from_scale(const RootOwner& owner, const Value& scale) {
  const api::Metadata metadata(scale);
  return {.key = metadata.key(),
          .root = owner,
          .is_being_deleted = metadata.is_being_deleted(),
          .expected = api::int32_field(api::field(scale, "spec"), "replicas").value_or(0)};
}

}  // namespace berth::nodes

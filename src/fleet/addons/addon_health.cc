#include "fleet/addons/addon_health.h"

#include <string>
#include <vector>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "fleet/addons/feedback.h"
#include "fleet/addons/manifest.h"
#include "fleet/addons/manifest_options.h"
#include "fleet/addons/works.h"

namespace berth::fleet {
namespace {

using api::ConditionStatus;
using json::Value;

api::Condition available(ConditionStatus status, std::string_view reason, std::string message) {
  return {.type = "Available",
          .status = status,
          .reason = std::string(reason),
          .message = std::move(message)};
}

// A Deployment that nobody wants to run has nothing to say.
bool is_probed(const Value& manifest) {
  const std::string_view resource = workload_resource(manifest);
  if (resource.empty()) return false;
  const auto replicas = api::integer_field(api::field(manifest, "spec"), "replicas");
  return resource != "deployments" || replicas != 0;
}

// The works that report on the workloads, or what is wrong with one of them.
struct Reports {
  std::vector<const Value*> works = {};
  std::optional<api::Condition> trouble = std::nullopt;
};

Reports collect(const WorkProbeView& view) {
  Reports reports;
  for (const Value* work : view.works) {
    if (!is_deploy_work(*work, view.key.name)) continue;
    const Value& conditions = api::field(api::field(*work, "status"), "conditions");
    const Value* condition = api::find_condition(conditions, "Available");
    if (!condition) {
      reports.trouble = available(ConditionStatus::Unknown, "WorkNotApplied",
                                  "Addon manifestWork is not applied yet");
      return reports;
    }
    if (api::text_field(*condition, "status") == "False") {
      reports.trouble = available(ConditionStatus::False, "WorkNotApplied",
                                  api::text_field(*condition, "message"));
      return reports;
    }
    reports.works.push_back(work);
  }
  return reports;
}

std::optional<std::int64_t> number(const Value& work, const Value& target, std::string_view name) {
  const Value* value = find_feedback(work, target, name);
  return value ? api::integer_field(*value, "integer") : std::nullopt;
}

bool has_feedback(const Value& work, const Value& target) {
  const Value* manifest = find_manifest_status(work, target);
  return manifest && api::field(api::field(*manifest, "statusFeedback"), "values").size() > 0;
}

// What is wrong with one workload; empty when it is well.
std::string check_workload(const Value& work, const Value& target) {
  const std::string resource = api::text_field(target, "resource");
  const bool is_deployment = resource == "deployments";
  const auto ready = number(work, target, is_deployment ? "ReadyReplicas" : "NumberReady");
  const auto desired = number(work, target, is_deployment ? "Replicas" : "DesiredNumberScheduled");
  if (!ready) return "readyReplica is not probed";
  if (!desired) return "desiredNumberReplicas is not probed";
  const bool is_well = is_deployment ? *desired == 0 || *ready >= 1 : *ready == *desired;
  if (is_well) return "";
  return fmt::format("desiredNumberReplicas is {} but readyReplica is {} for {} {}/{}", *desired,
                     *ready, resource, api::text_field(target, "namespace"),
                     api::text_field(target, "name"));
}

bool is_unknown(const Value& cluster) {
  const Value& conditions = api::field(api::field(cluster, "status"), "conditions");
  const Value* condition = api::find_condition(conditions, "ManagedClusterConditionAvailable");
  return condition && api::text_field(*condition, "status") == "Unknown";
}

}  // namespace

std::optional<api::Condition> probe_works(const WorkProbeView& view) {
  if (is_unknown(view.cluster)) return std::nullopt;
  if (view.works.empty()) {
    return available(ConditionStatus::Unknown, "WorkNotFound", "Addon manifestWork is not found");
  }
  const Reports reports = collect(view);
  if (reports.trouble) return reports.trouble;
  std::size_t probed = 0;
  std::size_t answered = 0;
  for (const Value& manifest : view.manifests) {
    if (!is_probed(manifest)) continue;
    ++probed;
    const Value option = well_known_option({"apps", std::string(workload_resource(manifest))},
                                           name_of_manifest(manifest).object);
    const Value& target = api::field(option, "resourceIdentifier");
    for (const Value* work : reports.works) {
      if (!has_feedback(*work, target)) continue;
      ++answered;
      const std::string wrong = check_workload(*work, target);
      if (wrong.empty()) continue;
      return available(ConditionStatus::False, "ProbeUnavailable",
                       "Probe addon unavailable with err " + wrong);
    }
  }
  if (probed > 0 && answered == 0) {
    return available(ConditionStatus::Unknown, "NoProbeResult", "Probe results are not returned");
  }
  return available(ConditionStatus::True, "ProbeAvailable",
                   view.key.name + " add-on is available.");
}

api::Condition probe_lease(std::string_view add_on, const Value* lease, Time now) {
  if (!lease) {
    return available(ConditionStatus::Unknown, "ManagedClusterAddOnLeaseNotFound",
                     fmt::format("The status of {} add-on is unknown.", add_on));
  }
  const auto renewed = api::time_field(api::field(*lease, "spec"), "renewTime");
  if (renewed && now < *renewed + kAddOnLeaseGrace) {
    return available(ConditionStatus::True, "ManagedClusterAddOnLeaseUpdated",
                     fmt::format("{} add-on is available.", add_on));
  }
  return available(ConditionStatus::False, "ManagedClusterAddOnLeaseUpdateStopped",
                   fmt::format("{} add-on is not available.", add_on));
}

}  // namespace berth::fleet

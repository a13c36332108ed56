#include "local/job.h"

#include <algorithm>
#include <string>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "api/kinds/pod.h"
#include "api/metadata.h"
#include "base/rfc3339.h"

namespace berth::local {
namespace {

using api::ConditionStatus;
using json::Value;

constexpr std::int64_t kBackoffLimitDefault = 6;

struct Tally {
  std::int64_t active = 0;
  std::int64_t ready = 0;
  std::int64_t terminating = 0;
  std::int64_t succeeded = 0;
  std::int64_t failed = 0;
};

Tally tally_of(const std::vector<OwnedPod>& pods) {
  Tally tally;
  for (const OwnedPod& pod : pods) {
    const api::PodPhase phase = api::Pod::from_json(*pod.object).phase;
    tally.active += pod.is_active ? 1 : 0;
    tally.ready += pod.is_active && pod.is_ready ? 1 : 0;
    tally.succeeded += phase == api::PodPhase::Succeeded ? 1 : 0;
    tally.failed += phase == api::PodPhase::Failed ? 1 : 0;
    const bool ended = phase == api::PodPhase::Succeeded || phase == api::PodPhase::Failed;
    tally.terminating += !pod.is_active && !ended ? 1 : 0;
  }
  return tally;
}

struct JobView {
  std::int64_t parallelism = 1;
  std::optional<std::int64_t> completions = std::nullopt;  // Absent: the first success ends it.
  std::int64_t failures_max = kBackoffLimitDefault;
  bool suspended = false;

  explicit JobView(const Value& job) {
    const Value& spec = api::field(job, "spec");
    parallelism = api::int32_field(spec, "parallelism").value_or(1);
    completions = api::int32_field(spec, "completions");
    failures_max = api::int32_field(spec, "backoffLimit").value_or(kBackoffLimitDefault);
    suspended = api::field(spec, "suspend").as_bool() == true;
  }

  std::int64_t wanted(const Tally& tally) const {
    if (suspended) return 0;
    if (!completions) return tally.succeeded > 0 ? tally.active : parallelism;
    return std::clamp<std::int64_t>(*completions - tally.succeeded, 0, parallelism);
  }

  bool is_complete(const Tally& tally) const {
    return completions ? tally.succeeded >= *completions : tally.succeeded > 0 && tally.active == 0;
  }
};

Value with_end(Value status, const api::Condition& condition, Time now) {
  status["conditions"] = api::with_condition(api::field(status, "conditions"), condition, now);
  for (Value& entry : status["conditions"].elements()) {
    if (entry.find("lastProbeTime") == nullptr) entry["lastProbeTime"] = format_seconds(now);
  }
  return status;
}

Value status_of(const Value& job, const JobView& view, const Tally& tally, Time now) {
  Value status = api::field(job, "status");
  const auto set_count = [&status](std::string_view name, std::int64_t number) {
    if (number != 0) {
      status[name] = number;
    } else if (!status.is_null()) {
      status.erase(name);
    }
  };
  if (api::text_field(status, "startTime").empty() && !view.suspended) {
    status["startTime"] = format_seconds(now);
  }
  set_count("active", tally.active);
  set_count("succeeded", tally.succeeded);
  set_count("failed", tally.failed);
  status["ready"] = tally.ready;
  status["terminating"] = tally.terminating;
  if (view.is_complete(tally)) {
    status["completionTime"] = format_seconds(now);
    return with_end(std::move(status),
                    {.type = "Complete",
                     .status = ConditionStatus::True,
                     .reason = "CompletionsReached",
                     .message = "Reached expected number of succeeded pods"},
                    now);
  }
  if (tally.failed <= view.failures_max) return status;
  return with_end(std::move(status),
                  {.type = "Failed",
                   .status = ConditionStatus::True,
                   .reason = "BackoffLimitExceeded",
                   .message = "Job has reached the specified backoff limit"},
                  now);
}

bool has_ended(const Value& job) {
  return api::is_condition_true(job, "Complete") || api::is_condition_true(job, "Failed");
}

bool is_understood(const Value& job) {
  const Value& spec = api::field(job, "spec");
  const std::string mode = api::text_field(spec, "completionMode");
  return (mode.empty() || mode == "NonIndexed") && spec.find("podFailurePolicy") == nullptr;
}

}  // namespace

WorkloadPlan plan_job(const Value& job, Objects pods, Time now) {
  WorkloadPlan plan;
  if (has_ended(job) || !is_understood(job) || api::Metadata(job).is_being_deleted()) return plan;
  std::vector<OwnedPod> owned = owned_pods(pods);
  const Tally tally = tally_of(owned);
  const JobView view(job);
  const bool failed = tally.failed > view.failures_max;
  const bool ends = failed || view.is_complete(tally);
  const std::int64_t wanted = ends ? 0 : view.wanted(tally);
  for (std::int64_t i = tally.active + tally.terminating; i < wanted; ++i) {
    plan.create(Kind::Pods, pod_with_made_up_name(job));
  }
  std::erase_if(owned, [](const OwnedPod& pod) { return !pod.is_active; });
  if (tally.active > wanted) std::ranges::sort(owned, goes_first);
  for (std::int64_t i = 0; i < tally.active - wanted; ++i) {
    plan.remove(Kind::Pods, *owned[static_cast<std::size_t>(i)].object);
  }
  Value after = job;
  after["status"] = status_of(job, view, tally, now);
  plan.change(Kind::Jobs, job, std::move(after));
  return plan;
}

}  // namespace berth::local

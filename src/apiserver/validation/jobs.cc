#include "apiserver/validation/jobs.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "api/label_selector.h"
#include "api/metadata.h"
#include "apiserver/validation/complaints.h"
#include "apiserver/validation/cron_schedule.h"
#include "apiserver/validation/labels.h"
#include "apiserver/validation/pod_spec.h"
#include "base/strings.h"

namespace berth::apiserver {
namespace {

using api::LabelSelector;

constexpr std::int64_t kIndexedMax = 100'000;
constexpr std::size_t kManagerMax = 63;
constexpr std::size_t kCronNameMax = 52;  // The names of its Jobs are 11 characters longer.
constexpr std::size_t kZonePartMax = 14;
constexpr std::string_view kUid = "batch.kubernetes.io/controller-uid";

// Each with and without the prefix that labels of Kubernetes should have.
constexpr std::array<std::string_view, 2> kUidLabels = {"controller-uid", kUid};
constexpr std::array<std::string_view, 2> kNameLabels = {"job-name",
                                                         "batch.kubernetes.io/job-name"};

void check_label(const Place& labels, std::string_view name, std::string_view expected,
                 Complaints& complaints) {
  const Place label = labels.key(name);
  if (!label.is_set()) return complaints.required(label, fmt::format("must be '{}'", expected));
  if (label.text() == expected) return;
  complaints.invalid(label, labels.value(), fmt::format("must be '{}'", expected));
}

// What with_job_selector has written must be what is there.
void check_generated(const Place& root, Complaints& complaints) {
  const Place spec = root["spec"];
  if (spec["manualSelector"].is_true() || !spec["selector"].is_set()) return;
  const api::Metadata metadata(root.value());
  const Place part = spec["template"];
  const Place about = part["metadata"];
  const Place labels = about["labels"];
  json::Value expected = json::Value::object();
  for (std::size_t i = 0; i < kUidLabels.size(); ++i) {
    check_label(labels, kUidLabels[i], metadata.uid(), complaints);
    check_label(labels, kNameLabels[i], metadata.name(), complaints);
    expected[kUidLabels[i]] = metadata.uid();
    expected[kNameLabels[i]] = metadata.name();
  }
  const auto selector = LabelSelector::from_json(spec["selector"].value());
  if (selector.ok() && !selector->matches(api::Labels(expected))) {
    complaints.invalid(spec["selector"], "`selector` not auto-generated");
  }
}

void check_indexed(const Place& spec, Complaints& complaints) {
  if (!spec["completions"].is_set()) {
    complaints.required(spec["completions"], "when completion mode is Indexed");
  }
  if (spec["parallelism"].number().value_or(0) > kIndexedMax) {
    complaints.invalid(
        spec["parallelism"],
        fmt::format("must be less than or equal to {} when completion mode is Indexed",
                    kIndexedMax));
  }
  const Place failed = spec["maxFailedIndexes"];
  if (failed.is_set() && spec["completions"].is_set() &&
      failed.number().value_or(0) > spec["completions"].number().value_or(0)) {
    complaints.invalid(failed, "must be less than or equal to completions");
  }
}

void check_completion_mode(const Place& spec, Complaints& complaints) {
  const Place mode = spec["completionMode"];
  complaints.check_optional_one_of(mode, {"NonIndexed", "Indexed"});
  if (mode.text() == "Indexed") return check_indexed(spec, complaints);
  if (mode.is_set() && mode.text() != "NonIndexed") return;
  for (const char* name : {"backoffLimitPerIndex", "maxFailedIndexes"}) {
    if (spec[name].is_set()) complaints.invalid(spec[name], "requires indexed completion mode");
  }
}

void check_manager(const Place& manager, Complaints& complaints) {
  if (!manager.is_set()) return;
  const std::string_view name = manager.text();
  const std::size_t slash = name.find('/');
  const bool has_both = slash != std::string_view::npos && slash > 0 && slash + 1 < name.size();
  if (!has_both) {
    complaints.invalid(manager, "must be a domain-prefixed path (such as \"acme.io/foo\")");
  }
  if (name.size() > kManagerMax) {
    complaints.add({.reason = "FieldValueTooLong",
                    .message = fmt::format("Too long: may not be more than {} bytes", kManagerMax),
                    .field = manager.path()});
  }
}

// Pods of a Job end.
void check_restart(const Place& policy, bool has_failure_policy, Complaints& complaints) {
  const std::string_view text = policy.text();
  if (text == "Always" || text.empty()) {
    complaints.required(policy, R"(valid values: "OnFailure", "Never")");
  } else if (text != "OnFailure" && text != "Never") {
    complaints.not_supported(policy, {"OnFailure", "Never"});
  } else if (has_failure_policy && text != "Never") {
    complaints.invalid(policy, R"(only "Never" is supported when podFailurePolicy is specified)");
  }
}

void check_job(const Place& spec, Complaints& complaints) {
  for (const char* name : {"parallelism", "completions", "activeDeadlineSeconds", "backoffLimit",
                           "ttlSecondsAfterFinished", "backoffLimitPerIndex", "maxFailedIndexes"}) {
    complaints.check_not_negative(spec[name]);
  }
  if (spec["maxFailedIndexes"].is_set() && !spec["backoffLimitPerIndex"].is_set()) {
    complaints.required(spec["backoffLimitPerIndex"], "when maxFailedIndexes is specified");
  }
  check_manager(spec["managedBy"], complaints);
  check_completion_mode(spec, complaints);
  const bool has_failure_policy = spec["podFailurePolicy"].is_set();
  if (has_failure_policy) {
    complaints.check_optional_one_of(spec["podReplacementPolicy"], {"Failed"});
  } else {
    complaints.check_optional_one_of(spec["podReplacementPolicy"],
                                     {"Failed", "TerminatingOrFailed"});
  }
  const Place part = spec["template"];
  check_template(part, complaints);
  const Place pod = part["spec"];
  check_restart(pod["restartPolicy"], has_failure_policy, complaints);
}

void check_job_selector(const Place& spec, Complaints& complaints) {
  const Place selector = spec["selector"];
  if (!selector.is_set()) complaints.required(selector);
  check_selector(selector, complaints);
  const auto read = LabelSelector::from_json(selector.value());
  if (!read.ok()) return;
  const Place part = spec["template"];
  const Place metadata = part["metadata"];
  const Place labels = metadata["labels"];
  if (read->matches(api::Labels(labels.value()))) return;
  complaints.invalid(labels, "`selector` does not match template `labels`");
}

// The number of completions of an indexed Job may change together with its parallelism.
void check_completions(const Place& spec, const Place& before, Complaints& complaints) {
  const Place completions = spec["completions"];
  if (completions.value() == before["completions"].value()) return;
  if (spec["completionMode"].text() != "Indexed") {
    return complaints.check_unchanged(completions, before["completions"]);
  }
  if (completions.is_set() && completions.value() != spec["parallelism"].value()) {
    complaints.invalid(completions, "can only be modified in tandem with spec.parallelism");
  }
}

// Where its pods run may change while it waits to be started.
json::Value without_directives(json::Value part) {
  if (json::Value* metadata = part.find("metadata")) {
    metadata->erase("labels");
    metadata->erase("annotations");
    if (metadata->size() == 0) part.erase("metadata");
  }
  if (json::Value* spec = part.find("spec")) {
    for (const char* name : {"nodeSelector", "tolerations", "schedulingGates"}) spec->erase(name);
    if (json::Value* affinity = spec->find("affinity")) {
      affinity->erase("nodeAffinity");
      if (affinity->size() == 0) spec->erase("affinity");
    }
  }
  return part;
}

void check_job_change(const Place& spec, const json::Value& old, Complaints& complaints) {
  const Place root(old);
  const Place before = root["spec"];
  check_completions(spec, before, complaints);
  complaints.check_unchanged(spec["selector"], before["selector"]);
  const Place part = spec["template"];
  const Place status = root["status"];
  const bool may_move = before["suspend"].is_true() && !status["startTime"].is_set();
  const bool is_same =
      may_move ? without_directives(part.value()) == without_directives(before["template"].value())
               : part.value() == before["template"].value();
  if (!is_same) complaints.invalid(part, "field is immutable");
  for (const char* name : {"completionMode", "podFailurePolicy", "backoffLimitPerIndex",
                           "managedBy", "successPolicy"}) {
    complaints.check_unchanged(spec[name], before[name]);
  }
}

bool is_zone_part(std::string_view part) {
  if (part.empty() || part.size() > kZonePartMax || part == "." || part == "..") return false;
  if (part.starts_with('-')) return false;
  return std::ranges::all_of(part, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_' || c == '+';
  });
}

// Which zones there are is known to those who run the jobs.
void check_zone(const Place& zone, Complaints& complaints) {
  if (!zone.is_set()) return;
  if (zone.text().empty()) {
    return complaints.invalid(zone, "timeZone must be nil or non-empty string");
  }
  for (const std::string_view part : split(zone.text(), '/')) {
    if (is_zone_part(part)) continue;
    return complaints.invalid(zone, fmt::format("unknown time zone {}", zone.text()));
  }
  if (lower_ascii(zone.text()) == "local") {
    complaints.invalid(zone,
                       "timeZone must be an explicit time zone as defined in "
                       "https://www.iana.org/time-zones");
  }
}

void check_schedule(const Place& spec, const json::Value* old, Complaints& complaints) {
  const Place schedule = spec["schedule"];
  if (schedule.text().empty()) return complaints.required(schedule);
  if (const auto problem = schedule_problem(schedule.text())) {
    complaints.invalid(schedule, *problem);
  }
  if (!schedule.text().contains("TZ")) return;
  // Old ones may keep it.
  const json::Value* before = old ? old->find_path({"spec", "schedule"}) : nullptr;
  if (!before || !before->string_or_empty().contains("TZ")) {
    complaints.invalid(schedule,
                       "cannot use TZ or CRON_TZ in schedule, use timeZone field instead");
  } else if (spec["timeZone"].is_set()) {
    complaints.invalid(schedule, "cannot use both timeZone field and TZ or CRON_TZ in schedule");
  }
}

}  // namespace

std::vector<Cause> validate_job(const json::Value& object, const json::Value* old) {
  Complaints complaints;
  const Place root(object);
  const Place spec = root["spec"];
  check_generated(root, complaints);
  check_job(spec, complaints);
  check_job_selector(spec, complaints);
  if (old) check_job_change(spec, *old, complaints);
  return complaints.take();
}

std::vector<Cause> validate_cron_job(const json::Value& object, const json::Value* old) {
  Complaints complaints;
  const Place root(object);
  const Place spec = root["spec"];
  check_schedule(spec, old, complaints);
  complaints.check_not_negative(spec["startingDeadlineSeconds"]);
  check_zone(spec["timeZone"], complaints);
  complaints.check_one_of(spec["concurrencyPolicy"], {"Allow", "Forbid", "Replace"});
  const Place part = spec["jobTemplate"];
  const Place job = part["spec"];
  check_job(job, complaints);
  if (job["selector"].is_set()) {
    complaints.invalid(job["selector"], "`selector` will be auto-generated");
  }
  if (job["manualSelector"].is_true()) {
    complaints.not_supported(job["manualSelector"], {"nil", "false"});
  }
  complaints.check_not_negative(spec["successfulJobsHistoryLimit"]);
  complaints.check_not_negative(spec["failedJobsHistoryLimit"]);
  const Place metadata = root["metadata"];
  if (!old && metadata["name"].text().size() > kCronNameMax) {
    complaints.invalid(metadata["name"], "must be no more than 52 characters");
  }
  return complaints.take();
}

json::Value with_job_selector(json::Value job) {
  const json::Value* manual = job.find_path({"spec", "manualSelector"});
  if (manual && manual->as_bool() == true) return job;
  const std::string uid(api::Metadata(job).uid());
  const std::string name(api::Metadata(job).name());
  json::Value& spec = job["spec"];
  json::Value& labels = spec["template"]["metadata"]["labels"];
  for (std::size_t i = 0; i < kUidLabels.size(); ++i) {
    if (!labels.find(kNameLabels[i])) labels[kNameLabels[i]] = name;
    if (!labels.find(kUidLabels[i])) labels[kUidLabels[i]] = uid;
  }
  json::Value& selected = spec["selector"]["matchLabels"];
  if (!selected.find(kUid)) selected[kUid] = uid;
  return job;
}

}  // namespace berth::apiserver

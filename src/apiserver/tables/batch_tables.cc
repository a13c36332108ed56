// What runs to an end: jobs and what starts them by the clock.

#include <string>

#include <fmt/format.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "apiserver/tables/builtin_table.h"
#include "apiserver/tables/cells.h"
#include "apiserver/tables/human_age.h"

namespace berth::apiserver {
namespace {

using json::Value;

Value job_status(const Value& job, Time /*now*/) {
  if (api::is_condition_true(job, "Complete")) return "Complete";
  if (api::is_condition_true(job, "Failed")) return "Failed";
  if (!at(job, "metadata.deletionTimestamp").is_null()) return "Terminating";
  for (const char* condition : {"Suspended", "FailureTarget", "SuccessCriteriaMet"}) {
    if (api::is_condition_true(job, condition)) return condition;
  }
  return "Running";
}

Value completions(const Value& job, Time /*now*/) {
  const std::int64_t succeeded = integer_at(job, "status.succeeded");
  if (const auto wanted = at(job, "spec.completions").as_int()) {
    return fmt::format("{}/{}", succeeded, *wanted);
  }
  const std::int64_t parallelism = integer_at(job, "spec.parallelism");
  if (parallelism > 1) return fmt::format("{}/1 of {}", succeeded, parallelism);
  return fmt::format("{}/1", succeeded);
}

Value duration(const Value& job, Time now) {
  const auto started = time_at(job, "status.startTime");
  if (!started) return "";
  return human_duration(time_at(job, "status.completionTime").value_or(now) - *started);
}

Value job_names(const Value& job, Time /*now*/) {
  return container_names(at(job, "spec.template.spec"));
}
Value job_images(const Value& job, Time /*now*/) {
  return container_images(at(job, "spec.template.spec"));
}
Value job_selector(const Value& job, Time /*now*/) {
  return selector_text(at(job, "spec.selector"));
}

Value suspended(const Value& cron_job, Time /*now*/) {
  const auto suspend = at(cron_job, "spec.suspend").as_bool();
  if (!suspend) return "<unset>";
  return *suspend ? "True" : "False";
}

Value last_schedule(const Value& cron_job, Time now) {
  const auto last = time_at(cron_job, "status.lastScheduleTime");
  return last ? human_age(last, now) : "<none>";
}

Value cron_names(const Value& cron_job, Time /*now*/) {
  return container_names(at(cron_job, "spec.jobTemplate.spec.template.spec"));
}
Value cron_images(const Value& cron_job, Time /*now*/) {
  return container_images(at(cron_job, "spec.jobTemplate.spec.template.spec"));
}
Value cron_selector(const Value& cron_job, Time /*now*/) {
  return selector_text(at(cron_job, "spec.jobTemplate.spec.selector"));
}

constexpr BuiltinColumn kJobs[] = {kNameColumn,
                                   computed_column("Status", job_status),
                                   computed_column("Completions", completions),
                                   computed_column("Duration", duration),
                                   kAgeColumn,
                                   wide(computed_column("Containers", job_names)),
                                   wide(computed_column("Images", job_images)),
                                   wide(computed_column("Selector", job_selector))};
constexpr BuiltinColumn kCronJobs[] = {kNameColumn,
                                       text_column("Schedule", "spec.schedule"),
                                       optional_column("Timezone", "spec.timeZone", "<none>"),
                                       typed("boolean", computed_column("Suspend", suspended)),
                                       count_column("Active", "status.active"),
                                       computed_column("Last Schedule", last_schedule),
                                       kAgeColumn,
                                       wide(computed_column("Containers", cron_names)),
                                       wide(computed_column("Images", cron_images)),
                                       wide(computed_column("Selector", cron_selector))};

constexpr BuiltinTable kTables[] = {
    {.group = "batch", .kind = "Job", .columns = kJobs},
    {.group = "batch", .kind = "CronJob", .columns = kCronJobs},
};

}  // namespace

std::span<const BuiltinTable> batch_tables() { return kTables; }

}  // namespace berth::apiserver

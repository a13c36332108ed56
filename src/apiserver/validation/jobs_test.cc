#include "apiserver/validation/jobs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/validation/testing/findings.h"

namespace berth::apiserver {
namespace {

using ::testing::ElementsAre;
using testing::fields_of;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::lines_of;
using testing::yaml_object;

json::Value job(std::string_view more) {
  return yaml_object(
      "{metadata: {name: j, uid: u-1}, spec: {template: {spec: {restartPolicy: Never, dnsPolicy: "
      "Default, containers: [{name: c, image: i, terminationMessagePolicy: File, imagePullPolicy: "
      "Always}]}}, " +
      std::string(more) + "}}");
}

TEST(Jobs, SelectTheirOwnPods) {
  const json::Value made = with_job_selector(job(""));
  EXPECT_EQ(*made.find_path({"spec", "selector"}),
            yaml_object("matchLabels: {batch.kubernetes.io/controller-uid: u-1}"));
  EXPECT_EQ(*made.find_path({"spec", "template", "metadata", "labels"}),
            yaml_object("{job-name: j, controller-uid: u-1, batch.kubernetes.io/job-name: j, "
                        "batch.kubernetes.io/controller-uid: u-1}"));
  EXPECT_THAT(validate_job(made, nullptr), IsEmpty());
}

TEST(Jobs, MaySelectByThemselvesIfTheySaySo) {
  const json::Value own = with_job_selector(job("manualSelector: true"));
  EXPECT_EQ(own.find_path({"spec", "selector"}), nullptr);
  EXPECT_THAT(fields_of(validate_job(own, nullptr)),
              ElementsAre("spec.selector", "spec.template.metadata.labels"));
}

TEST(Jobs, CannotChooseALabelOfTheirs) {
  json::Value wrong = job("");
  wrong["spec"]["template"]["metadata"]["labels"]["controller-uid"] = "mine";
  EXPECT_THAT(lines_of(validate_job(with_job_selector(wrong), nullptr)),
              ElementsAre(HasSubstr("spec.template.metadata.labels[controller-uid]")));
}

TEST(Jobs, EndAtSomeTime) {
  json::Value endless = with_job_selector(job("parallelism: -1"));
  endless["spec"]["template"]["spec"]["restartPolicy"] = "Always";
  EXPECT_THAT(lines_of(validate_job(endless, nullptr)),
              ElementsAre(HasSubstr("spec.parallelism"),
                          "spec.template.spec.restartPolicy: Required value: valid values: "
                          "\"OnFailure\", \"Never\""));
}

TEST(Jobs, IndexesNeedTheirMode) {
  EXPECT_THAT(fields_of(validate_job(with_job_selector(job("completionMode: Indexed")), nullptr)),
              ElementsAre("spec.completions"));
  EXPECT_THAT(fields_of(validate_job(with_job_selector(job("backoffLimitPerIndex: 1")), nullptr)),
              ElementsAre("spec.backoffLimitPerIndex"));
}

TEST(Jobs, OnlyWhereASleepingJobRunsMayChange) {
  const json::Value before = with_job_selector(job("suspend: true"));
  json::Value after = before;
  after["spec"]["template"]["spec"]["nodeSelector"] = yaml_object("{zone: a}");
  EXPECT_THAT(validate_job(after, &before), IsEmpty());
  json::Value running = before;
  running["spec"]["suspend"] = false;
  EXPECT_THAT(fields_of(validate_job(after, &running)), ElementsAre("spec.template"));
  after["spec"]["completions"] = 5;
  EXPECT_THAT(fields_of(validate_job(after, &before)), ElementsAre("spec.completions"));
}

TEST(CronJobs, HaveAScheduleAndAJob) {
  const auto cron = [](std::string_view more) {
    json::Value made = yaml_object(
        "{metadata: {name: c}, spec: {schedule: '@daily', "
        "concurrencyPolicy: Allow}}");
    made["spec"]["jobTemplate"]["spec"] = *job("").find("spec");
    for (const json::Member& member : yaml_object(more).members()) {
      made["spec"][member.name()] = member.value;
    }
    return made;
  };
  EXPECT_THAT(validate_cron_job(cron("{}"), nullptr), IsEmpty());
  EXPECT_THAT(fields_of(validate_cron_job(
                  cron("{schedule: often, timeZone: ../x, failedJobsHistoryLimit: -1}"), nullptr)),
              ElementsAre("spec.schedule", "spec.timeZone", "spec.failedJobsHistoryLimit"));
  const json::Value zoned = cron("{schedule: 'TZ=UTC 0 0 * * *'}");
  EXPECT_EQ(validate_cron_job(zoned, nullptr).size(), 1);
  EXPECT_THAT(validate_cron_job(zoned, &zoned), IsEmpty());
}

}  // namespace
}  // namespace berth::apiserver

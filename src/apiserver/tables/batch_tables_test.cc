#include <gtest/gtest.h>

#include "apiserver/tables/testing/rows.h"

namespace berth::apiserver {
namespace {

using testing::row_of;

TEST(BatchTables, ShowAJobByItsConditions) {
  struct Case {
    std::string_view status;
    std::string_view conditions;
  };
  const Case cases[] = {
      {"Running", "[]"},
      {"Running", "[{type: Complete, status: 'False'}]"},
      {"Complete",
       "[{type: SuccessCriteriaMet, status: 'True'}, {type: Complete, status: 'True'}]"},
      {"Failed", "[{type: FailureTarget, status: 'True'}, {type: Failed, status: 'True'}]"},
      {"FailureTarget", "[{type: FailureTarget, status: 'True'}]"},
      {"SuccessCriteriaMet", "[{type: SuccessCriteriaMet, status: 'True'}]"},
      {"Suspended", "[{type: Suspended, status: 'True'}]"},
  };
  for (const Case& c : cases) {
    const std::string job = "status: {conditions: " + std::string(c.conditions) + "}";
    EXPECT_EQ(row_of("batch", "Job", job),
              "x | " + std::string(c.status) + " | 0/1 |  | 3h |  |  | <none>");
  }
  EXPECT_TRUE(row_of("batch", "Job", "metadata: {deletionTimestamp: '2026-01-01T00:00:00Z'}")
                  .starts_with("x | Terminating"));
}

TEST(BatchTables, ShowHowFarAJobGotAndHowLongItTook) {
  EXPECT_EQ(row_of("batch", "Job", R"(
spec:
  completions: 4
  selector: {matchLabels: {a: b}}
  template: {spec: {containers: [{name: c, image: i}]}}
status: {succeeded: 2, startTime: "2026-01-01T22:00:00Z", completionTime: "2026-01-01T22:01:00Z"})"),
            "x | Running | 2/4 | 60s | 3h | c | i | a=b");
  EXPECT_EQ(row_of("batch", "Job",
                   "{spec: {parallelism: 3}, status: {succeeded: 1, startTime: "
                   "'2026-01-01T23:00:00Z'}}"),
            "x | Running | 1/1 of 3 | 60m | 3h |  |  | <none>");
}

TEST(BatchTables, ShowACronJob) {
  EXPECT_EQ(row_of("batch", "CronJob", R"(
spec:
  schedule: "* * * * *"
  timeZone: Europe/Oslo
  suspend: false
  jobTemplate: {spec: {template: {spec: {containers: [{name: c, image: i}]}}}}
status: {active: [{name: a}, {name: b}], lastScheduleTime: "2026-01-01T23:59:00Z"})"),
            "x | * * * * * | Europe/Oslo | False | 2 | 60s | 3h | c | i | <none>");
  EXPECT_EQ(row_of("batch", "CronJob", "spec: {suspend: true}"),
            "x |  | <none> | True | 0 | <none> | 3h |  |  | <none>");
  EXPECT_EQ(row_of("batch", "CronJob", "{}"),
            "x |  | <none> | <unset> | 0 | <none> | 3h |  |  | <none>");
}

}  // namespace
}  // namespace berth::apiserver

#include "apiserver/validation/cron_schedule.h"

#include <gtest/gtest.h>

namespace berth::apiserver {
namespace {

TEST(CronSchedule, TakesWhatCronTakes) {
  for (const char* schedule :
       {"* * * * *", "0 0 1 1 0", "*/5 0-6,12-18/2 ? JAN-mar Mon,tue", "59 23 31 12 6", "@daily",
        "@every 1h30m", "5/15 * * * *", "  0   0 * * * ", "TZ=UTC 0 0 * * *",
        "CRON_TZ=Europe/Berlin @hourly"}) {
    EXPECT_EQ(schedule_problem(schedule), std::nullopt) << schedule;
  }
}

TEST(CronSchedule, SaysWhatIsWrong) {
  struct Case {
    const char* schedule;
    const char* problem;
  };
  for (const Case& c : {
           Case{"", "empty spec string"},
           Case{"every day", "expected exactly 5 fields, found 2: [every day]"},
           Case{"61 0 * * *", "end of range (61) above maximum (59): 61"},
           Case{"0 0 0 * *", "beginning of range (0) below minimum (1): 0"},
           Case{"0 5-1 * * *", "beginning of range (5) beyond end of range (1): 5-1"},
           Case{"*/0 * * * *", "step of range should be a positive number: */0"},
           Case{"1-2-3 * * * *", "too many hyphens: 1-2-3"},
           Case{"1/2/3 * * * *", "too many slashes: 1/2/3"},
           Case{"a * * * *",
                "failed to parse int from a: strconv.Atoi: parsing \"a\": invalid syntax"},
           Case{"* * * * mon-xyz",
                "failed to parse int from xyz: strconv.Atoi: parsing \"xyz\": invalid syntax"},
           Case{"@often", "unrecognized descriptor: @often"},
           Case{"@every tomorrow",
                "failed to parse duration @every tomorrow: time: invalid duration \"tomorrow\""},
           Case{"TZ=UTC", "expected exactly 5 fields, found 0: []"},
       }) {
    EXPECT_EQ(schedule_problem(c.schedule), c.problem);
  }
}

}  // namespace
}  // namespace berth::apiserver

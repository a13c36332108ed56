#include "cel/testing/expression_case.h"

namespace berth::cel {
namespace {

using testing::expect_values;
using testing::ExpressionCase;

TEST(TimeFunctions, GetPartsInUtcAndWithOffsets) {
  const ExpressionCase cases[] = {
      {R"(timestamp("2024-03-15T10:20:30.456Z").getFullYear())", "2024", 2},
      {R"(timestamp("2024-03-15T10:20:30.456Z").getMonth())", "2", 2},
      {R"(timestamp("2024-03-15T10:20:30.456Z").getDate())", "15", 2},
      {R"(timestamp("2024-03-15T10:20:30.456Z").getDayOfMonth())", "14", 2},
      {R"(timestamp("2024-03-15T10:20:30.456Z").getDayOfWeek())", "5", 2},
      {R"(timestamp("2024-03-15T10:20:30.456Z").getDayOfYear())", "74", 2},
      {R"(timestamp("2024-03-15T10:20:30.456Z").getHours())", "10", 2},
      {R"(timestamp("2024-03-15T10:20:30.456Z").getMinutes())", "20", 2},
      {R"(timestamp("2024-03-15T10:20:30.456Z").getSeconds())", "30", 2},
      {R"(timestamp("2024-03-15T10:20:30.456Z").getMilliseconds())", "456", 2},
      {R"(timestamp("2024-03-15T23:20:30Z").getDate("+02:00"))", "16", 2},
      {R"(timestamp("2024-03-15T01:20:30Z").getHours("-02:30"))", "22", 2},
      {R"(timestamp("2024-03-15T01:20:30Z").getMinutes("-02:30"))", "50", 2},
      {R"(timestamp("2024-03-15T01:20:30Z").getHours("UTC"))", "1", 2},
      {R"(timestamp("2024-03-15T01:20:30Z").getHours("02:00"))", "3", 2},
      {R"(duration("1h30m15s").getHours())", "1", 2},
      {R"(duration("1h30m15s").getMinutes())", "90", 2},
      {R"(duration("1h30m15s").getSeconds())", "5415", 2},
      {R"(duration("1h30m15s").getMilliseconds())", "5415000", 2},
  };
  expect_values(cases);
}

TEST(TimeFunctions, AddAndSubtractWithinTheirRange) {
  const ExpressionCase cases[] = {
      {R"(timestamp("2024-01-01T00:00:00Z") + duration("1h"))",
       R"(timestamp("2024-01-01T01:00:00Z"))", 3},
      {R"(duration("1h") + timestamp("2024-01-01T00:00:00Z"))",
       R"(timestamp("2024-01-01T01:00:00Z"))", 3},
      {R"(timestamp("2024-01-01T00:00:00Z") - duration("1h"))",
       R"(timestamp("2023-12-31T23:00:00Z"))", 3},
      {R"(timestamp("2024-01-02T00:00:00Z") - timestamp("2024-01-01T00:00:00Z"))",
       R"(duration("86400s"))", 3},
      {R"(timestamp("9999-12-31T23:59:59Z") + duration("1s"))", "!timestamp overflow", 3},
      {R"(timestamp("0001-01-01T00:00:00Z") - duration("1s"))", "!timestamp overflow", 3},
      {R"(timestamp("9999-12-31T23:59:59Z") - timestamp("0001-01-01T00:00:00Z"))",
       "!integer overflow", 3},
      {R"(duration("1h") + duration("30m"))", R"(duration("5400s"))", 3},
      {R"(duration("1h") - duration("30m"))", R"(duration("1800s"))", 3},
      {R"(duration("9223372036s") + duration("9223372036s"))", "!integer overflow", 3},
      {R"(timestamp("2024-01-01T00:00:00Z") < timestamp("2024-01-02T00:00:00Z"))", "true", 3},
      {R"(duration("1s") > duration("1ms"))", "true", 3},
      {R"(null == duration("1s"))", "false", 2},
  };
  expect_values(cases);
}

}  // namespace
}  // namespace berth::cel

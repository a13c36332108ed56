#include "base/rfc3339.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace berth {
namespace {

using namespace std::chrono_literals;

TEST(Rfc3339, ReadsWhatKubernetesWrites) {
  struct Case {
    std::string_view text;
    std::int64_t seconds;
    std::int32_t nanoseconds;
  };
  const Case cases[] = {
      {"1970-01-01T00:00:00Z", 0, 0},
      {"2026-11-15T22:08:41Z", 1794780521, 0},
      {"2026-11-15T22:08:41.5Z", 1794780521, 500'000'000},
      {"2026-11-15T22:08:41.000000001Z", 1794780521, 1},
      {"2026-11-15T22:08:41.1234567899Z", 1794780521, 123'456'789},
      {"2026-11-15T23:08:41+01:00", 1794780521, 0},
      {"2026-11-15T16:38:41-05:30", 1794780521, 0},
      {"2024-02-29T00:00:00Z", 1709164800, 0},
      {"0001-01-01T00:00:00Z", -62135596800, 0},
      {"9999-12-31T23:59:59Z", 253402300799, 0},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(parse_rfc3339(c.text).value(), Time::from_unix(c.seconds, c.nanoseconds));
  }
}

TEST(Rfc3339, RefusesWithThePlaceAndWhatWasExpected) {
  struct Case {
    std::string_view text;
    std::string_view complaint;
  };
  const Case cases[] = {
      {"", "a year at offset 0"},
      {"2026", "'-' at offset 4"},
      {"2026-13-01T00:00:00Z", "a month at offset 5"},
      {"2026-02-29T00:00:00Z", "a day of that month at offset 8"},
      {"2026-02-28", "'T' at offset 10"},
      {"2026-02-28t00:00:00Z", "'T' at offset 10"},
      {"2026-02-28T24:00:00Z", "an hour at offset 11"},
      {"2026-06-30T23:59:60Z", "a second below 60 at offset 17"},
      {"2026-02-28T00:00:00", "'Z' or an offset at offset 19"},
      {"2026-02-28T00:00:00z", "'Z' or an offset at offset 19"},
      {"2026-02-28T00:00:00.Z", "a digit at offset 20"},
      {"2026-02-28T00:00:00+1:00", "the hours of an offset at offset 21"},
      {"2026-02-28T00:00:00Z ", "the end at offset 20"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    const auto parsed = parse_rfc3339(c.text);
    ASSERT_FALSE(parsed.ok());
    EXPECT_NE(parsed.error().message.find(c.complaint), std::string::npos)
        << parsed.error().message;
  }
}

TEST(Rfc3339, PrintsTheThreePrecisionsInUse) {
  const Time time = Time::from_unix(1794780521, 120'000'000);
  EXPECT_EQ(format_seconds(time), "2026-11-15T22:08:41Z");
  EXPECT_EQ(format_micros(time), "2026-11-15T22:08:41.120000Z");
  EXPECT_EQ(format_nanos(time), "2026-11-15T22:08:41.12Z");
  EXPECT_EQ(format_nanos(Time(1s)), "1970-01-01T00:00:01Z");
}

RC_GTEST_PROP(Rfc3339Property, ParsesBackWhatItPrints,
              (std::int64_t seconds, std::uint32_t nanos)) {
  const Time time =
      Time::from_unix(seconds % 100'000'000'000, static_cast<std::int32_t>(nanos % 1'000'000'000));
  RC_ASSERT(parse_rfc3339(format_nanos(time)).value() == time);
}

}  // namespace
}  // namespace berth

#include "cel/time_arithmetic.h"

#include <gtest/gtest.h>

namespace berth::cel {
namespace {

using namespace std::chrono_literals;

TEST(ParseDuration, ReadsWhatGoReads) {
  EXPECT_EQ(parse_duration("1h1m1.5s"), 1h + 1min + 1500ms);
  EXPECT_EQ(parse_duration("-1.5h"), -90min);
  EXPECT_EQ(parse_duration("+5\xC2\xB5s"), 5us);
  EXPECT_EQ(parse_duration("0"), 0s);
  EXPECT_EQ(parse_duration("-2562047h47m16.854775808s"), Duration::min());
}

TEST(ParseDuration, RefusesTheRest) {
  for (const char* text : {"", "1", "s", ".s", "1d", "1h-1m", "9223372037s", "2562048h", "- 1s"}) {
    EXPECT_EQ(parse_duration(text), std::nullopt) << text;
  }
}

TEST(Times, KeepTheOffsetTheyWereWrittenWith) {
  const Value later = add_times(Value::timestamp(Time{}, 120), Value::duration(1s));
  EXPECT_EQ(later.offset_minutes(), 120);
  EXPECT_EQ(later.as_timestamp(), Time(1s));
}

TEST(Times, OfTheWrongKindHaveNoSum) {
  EXPECT_TRUE(add_times(Value::timestamp(Time{}), Value::timestamp(Time{})).is_error());
  EXPECT_TRUE(subtract_times(Value::duration(1s), Value::timestamp(Time{})).is_error());
}

}  // namespace
}  // namespace berth::cel

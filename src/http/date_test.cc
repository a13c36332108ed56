#include "http/date.h"

#include <gtest/gtest.h>

namespace berth::http {
namespace {

TEST(Date, IsWrittenAsRfc9110Does) {
  EXPECT_EQ(format_date(Time::from_unix(784'111'777)), "Sun, 06 Nov 1994 08:49:37 GMT");
  EXPECT_EQ(format_date(Time{}), "Thu, 01 Jan 1970 00:00:00 GMT");
  EXPECT_EQ(format_date(Time::from_unix(1'709'251'199, 999'999'999)),
            "Thu, 29 Feb 2024 23:59:59 GMT");
  EXPECT_EQ(format_date(Time::from_unix(-1)), "Wed, 31 Dec 1969 23:59:59 GMT");
}

TEST(Date, TheStampFollowsTheClock) {
  DateStamp stamp;
  EXPECT_EQ(stamp.at(Time{}), format_date(Time{}));
  const Time later = Time::from_unix(784'111'777, 5);
  EXPECT_EQ(stamp.at(later), format_date(later));
  EXPECT_EQ(stamp.at(later + std::chrono::milliseconds(1)), format_date(later));
}

}  // namespace
}  // namespace berth::http

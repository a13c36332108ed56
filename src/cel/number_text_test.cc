#include "cel/number_text.h"

#include <cmath>

#include <gtest/gtest.h>

namespace berth::cel {
namespace {

TEST(ParseDouble, ReadsWhatGoReads) {
  EXPECT_EQ(parse_double("1.5e3"), 1500);
  EXPECT_EQ(parse_double("+.5"), 0.5);
  EXPECT_EQ(parse_double("5."), 5);
  EXPECT_EQ(parse_double("007"), 7);
  EXPECT_EQ(parse_double("-Infinity"), -HUGE_VAL);
  EXPECT_TRUE(std::isnan(*parse_double("NaN")));
}

TEST(ParseDouble, RefusesTheRest) {
  for (const char* text : {"", ".", "e5", "1e", "1x", "1e999", "--1", "in", "1 "}) {
    EXPECT_EQ(parse_double(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace berth::cel

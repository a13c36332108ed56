#include "json/number.h"

#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace berth::json {
namespace {

TEST(Number, KnowsJsonsGrammar) {
  for (const std::string_view good : {"0", "-0", "10", "1.5", "0.0", "1e5", "1E+5", "-1.25e-07"}) {
    EXPECT_TRUE(is_number(good)) << good;
  }
  for (const std::string_view bad : {"", "-", "+1", "01", "-01", "1.", ".5", "1.e5", "1e", "1e+",
                                     "1.5.5", "1x", "0x1", "NaN", " 1", "1 ", "--1", "1e5.5"}) {
    EXPECT_FALSE(is_number(bad)) << bad;
  }
}

TEST(Number, OnlyCanonicalTextIsAnExactInteger) {
  EXPECT_EQ(exact_int64("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  for (const std::string_view other : {"9223372036854775808", "1.0", "1e3", "-0", "1E0"}) {
    EXPECT_EQ(exact_int64(other), std::nullopt) << other;
  }
  EXPECT_EQ(exact_uint64("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
}

TEST(Number, ComparesByValueWhateverTheForm) {
  EXPECT_TRUE(equal_numbers("1.50", "15e-1"));
  EXPECT_TRUE(equal_numbers("0", "-0.0e7"));
  EXPECT_TRUE(equal_numbers("1000", "1e3"));
  EXPECT_TRUE(equal_numbers("0.001", "1E-3"));
  EXPECT_FALSE(equal_numbers("1", "-1"));
  EXPECT_FALSE(equal_numbers("9007199254740993", "9007199254740992"));
  EXPECT_FALSE(equal_numbers("1e999999999999", "2e999999999999"));
}

TEST(Number, BeyondADoubleIsInfinityOrZero) {
  EXPECT_EQ(to_double("1e999999"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(to_double("-1e999"), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(to_double("1e-999999"), 0.0);
  EXPECT_EQ(to_double("123456e-400"), 0.0);
}

TEST(Number, PrintsAsGoDoes) {
  EXPECT_EQ(print_double(1.5), "1.5");
  EXPECT_EQ(print_double(100), "100");
  EXPECT_EQ(print_double(1e20), "100000000000000000000");
  EXPECT_EQ(print_double(1e21), "1e+21");
  EXPECT_EQ(print_double(-123456789012345678901.0), "-123456789012345680000");
  EXPECT_EQ(print_double(9007199254740993.0), "9007199254740992");
  EXPECT_EQ(print_double(0.000001), "0.000001");
  EXPECT_EQ(print_double(1e-7), "1e-7");
  EXPECT_EQ(print_double(-0.0), "-0");
}

RC_GTEST_PROP(NumberProperty, PrintedDoublesReadBackTheSame, (double number)) {
  RC_ASSERT(to_double(print_double(number)) == number);
}

}  // namespace
}  // namespace berth::json

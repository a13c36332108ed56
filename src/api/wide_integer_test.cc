#include "api/wide_integer.h"

#include <cstdint>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace berth::api {
namespace {

WideInteger wide(std::int64_t number) { return WideInteger(number); }

TEST(WideInteger, GoesBeyond64BitsAndBack) {
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
  const WideInteger beyond = wide(kMax) + wide(1);
  EXPECT_EQ(beyond.to_string(), "9223372036854775808");
  EXPECT_EQ(beyond.to_int64(), std::nullopt);
  EXPECT_EQ((beyond + wide(-1)).to_int64(), kMax);
  EXPECT_EQ(wide(kMin).to_int64(), kMin);
  EXPECT_EQ((wide(kMin) + wide(-1)).to_int64(), std::nullopt);
}

TEST(WideInteger, ZeroHasNoSign) {
  WideInteger zero = wide(-5) + wide(5);
  EXPECT_TRUE(zero.is_zero());
  zero.negate();
  EXPECT_FALSE(zero.is_negative());
  EXPECT_EQ(zero, WideInteger::from_digits("000"));
  EXPECT_EQ(zero.to_string(), "0");
}

TEST(WideInteger, ScalesDownAwayFromZero) {
  WideInteger number = wide(-12300);
  EXPECT_TRUE(number.scale_down(2));
  EXPECT_EQ(number.to_int64(), -123);
  EXPECT_FALSE(number.scale_down(1));
  EXPECT_EQ(number.to_int64(), -13);
  EXPECT_FALSE(number.scale_down(7));
  EXPECT_EQ(number.to_int64(), -1);
}

TEST(WideInteger, ConvertsToTheNearestDouble) {
  EXPECT_EQ(WideInteger::from_digits("9007199254740993").to_double(), 9007199254740992.0);
  WideInteger huge = wide(-1);
  huge.scale_up(400);
  EXPECT_EQ(huge.to_double(), -std::numeric_limits<double>::infinity());
}

TEST(WideInteger, AgreesWithMachineArithmetic) {
  EXPECT_TRUE(rc::check([](std::int32_t a, std::int32_t b, std::uint16_t factor) {
    RC_ASSERT((wide(a) + wide(b)).to_int64() == std::int64_t{a} + b);
    RC_ASSERT((wide(a) <=> wide(b)) == (a <=> b));
    WideInteger product = wide(a);
    product.multiply(factor);
    RC_ASSERT(product.to_int64() == std::int64_t{a} * factor);
    if (factor == 0) return;
    WideInteger quotient = wide(a);
    const auto rest = quotient.divide(factor);
    RC_ASSERT(quotient.to_int64() == std::int64_t{a} / factor);
    RC_ASSERT(std::int64_t{rest} == std::abs(std::int64_t{a} % factor));
  }));
}

}  // namespace
}  // namespace berth::api

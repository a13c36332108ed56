#include "api/quantity_text.h"

#include <gtest/gtest.h>

namespace berth::api {
namespace {

using Family = QuantityText::Family;

TEST(QuantityText, CutsSignDigitsAndSuffixApart) {
  const QuantityText text = scan_quantity("-001.50Gi", 999).value();
  EXPECT_TRUE(text.negative);
  EXPECT_EQ(text.whole, "1");
  EXPECT_EQ(text.fraction, "50");
  EXPECT_EQ(text.family, Family::Binary);
  EXPECT_EQ(text.exponent, 30);
}

TEST(QuantityText, TellsExaFromAnExponent) {
  EXPECT_EQ(scan_quantity("1E", 999).value().family, Family::Decimal);
  EXPECT_EQ(scan_quantity("1E", 999).value().exponent, 18);
  EXPECT_EQ(scan_quantity("1E+2", 999).value().family, Family::Exponent);
  EXPECT_EQ(scan_quantity("1E+2", 999).value().exponent, 2);
  EXPECT_EQ(scan_quantity("1e-07", 999).value().exponent, -7);
}

TEST(QuantityText, SaysWhetherThereWasAnyDigit) {
  EXPECT_FALSE(scan_quantity("Ki", 999).value().has_digits);
  EXPECT_FALSE(scan_quantity("-.", 999).value().has_digits);
  EXPECT_TRUE(scan_quantity("0", 999).value().has_digits);
  EXPECT_TRUE(scan_quantity(".0", 999).value().has_digits);
  EXPECT_EQ(scan_quantity("Ki", 999).value().whole, "0");
}

TEST(QuantityText, BoundsTheExponentOnBothSides) {
  EXPECT_TRUE(scan_quantity("1e30", 30).ok());
  EXPECT_TRUE(scan_quantity("1e-30", 30).ok());
  EXPECT_FALSE(scan_quantity("1e31", 30).ok());
  EXPECT_FALSE(scan_quantity("1e-31", 30).ok());
}

}  // namespace
}  // namespace berth::api

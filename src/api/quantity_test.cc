#include "api/quantity.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace berth::api {
namespace {

Quantity quantity(std::string_view text) { return Quantity::parse(text).value(); }

TEST(Quantity, PrintsTheCanonicalForm) {
  struct Case {
    std::string_view text;
    std::string_view canonical;
  };
  constexpr std::array kCases = {
      Case{"0", "0"},
      Case{"1000m", "1"},
      Case{"1.5", "1500m"},
      Case{"1.500", "1500m"},
      Case{"100m", "100m"},
      Case{"0.1n", "1n"},
      Case{"1.1n", "2n"},
      Case{"-0.1n", "-1n"},
      Case{"12345678", "12345678"},
      Case{"12000000", "12M"},
      Case{"10k", "10k"},
      Case{"1e3", "1e3"},
      Case{"15E2", "1500"},
      Case{"1e-1", "100e-3"},
      Case{"1024Mi", "1Gi"},
      Case{"1.5Gi", "1536Mi"},
      Case{"0.5Gi", "512Mi"},
      Case{"512Ki", "512Ki"},
      Case{"0.5Ki", "512"},
      Case{"0.1Ki", "102400m"},
      Case{"1023.5Ki", "1048064"},
      Case{"-1Ki", "-1Ki"},
      Case{"0.0001Ki", "102400u"},
      Case{"1.0000001Ki", "1024000102400n"},
      Case{"100Ti", "100Ti"},
      Case{"8Ei", "9223372036854775807"},
      Case{"9223372036854775807Ei", "9223372036854775807"},
      Case{"-9Ei", "-9223372036854775807"},
      Case{"9223372036854775808", "9223372036854775808"},
      Case{"123456789012345678901234567890", "123456789012345678901234567890"},
      Case{"1000E", "1000E"},
      Case{"1e999", "1e999"},
      Case{"1000e999", "1000e999"},
      Case{"-", "0"},
      Case{".", "0"},
      Case{"k", "0"},
      Case{"1.G", "1G"},
      Case{".5", "500m"},
      Case{"+007", "7"},
      Case{"-0", "0"},
  };
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(quantity(c.text).to_string(), c.canonical);
    EXPECT_EQ(quantity(c.canonical), quantity(c.text));
  }
}

TEST(Quantity, RewritesTextsAsKubernetesDoesIncludingThoseItLeavesAlone) {
  struct Case {
    std::string_view text;
    std::string_view written;
  };
  constexpr std::array kCases = {
      Case{"1.5", "1500m"},    Case{"1.500", "1.500"},   Case{"1.000", "1"},
      Case{"+1", "+1"},        Case{"1E3", "1E3"},       Case{"1000E", "1000E"},
      Case{"+1Ki", "+1Ki"},    Case{"1000Mi", "1000Mi"}, Case{"1024Mi", "1Gi"},
      Case{"1.5Gi", "1536Mi"}, Case{"1e0", "1e0"},       Case{"0.5", "500m"},
  };
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(Quantity::rewrite(c.text).value(), c.written);
  }
}

TEST(Quantity, RefusesWhatIsNoneWithKubernetesTexts) {
  constexpr std::string_view kFormat =
      "quantities must match the regular expression "
      "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  constexpr std::string_view kSuffix = "unable to parse quantity's suffix";
  struct Case {
    std::string text;
    std::string_view message;
  };
  const std::vector<Case> cases = {
      {"", kFormat},
      {"1 ", kFormat},
      {"1.2.3", kFormat},
      {"--1", kSuffix},
      {"0x10", kFormat},
      {"1Ki5x", kFormat},
      {"1i", kSuffix},
      {"1e", kSuffix},
      {"1Ee5", kSuffix},
      {"1mm", kSuffix},
      {"1k5", kSuffix},
      {"1e99999999999999999999", kSuffix},
      {"1e1000", kSuffix},
      {"Pi", "unable to parse numeric part of quantity"},
      {".e-10", "unable to parse numeric part of quantity"},
      {std::string(Quantity::kTextMax + 1, '1'), "quantities must have at most 512 bytes"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    const auto parsed = Quantity::parse(c.text);
    ASSERT_FALSE(parsed.ok());
    EXPECT_EQ(parsed.error().message, c.message);
    EXPECT_EQ(parsed.error().code, Code::Invalid);
  }
}

TEST(Quantity, ReadsStringsNumbersAndNullFromObjects) {
  EXPECT_EQ(Quantity::from_json("250m").value().milli_value(), 250);
  EXPECT_EQ(Quantity::from_json(" 2 ").value().value(), 2);
  EXPECT_EQ(Quantity::from_json(3).value().value(), 3);
  EXPECT_EQ(Quantity::from_json(json::Value::number_from_text("1.5e3")).value().value(), 1500);
  EXPECT_TRUE(Quantity::from_json(nullptr).value().is_zero());
  EXPECT_FALSE(Quantity::from_json(true).ok());
  EXPECT_FALSE(Quantity::from_json(json::Value::object()).ok());
}

TEST(Quantity, RoundsWholeValuesAwayFromZeroAndSaturates) {
  using Limits = std::numeric_limits<std::int64_t>;
  EXPECT_EQ(quantity("1001m").value(), 2);
  EXPECT_EQ(quantity("-1001m").value(), -2);
  EXPECT_EQ(quantity("1n").value(), 1);
  EXPECT_EQ(quantity("0.5Gi").value(), 536870912);
  EXPECT_EQ(quantity("1u").milli_value(), 1);
  EXPECT_EQ(quantity("1.5").milli_value(), 1500);
  EXPECT_EQ(quantity("1500").scaled_value(3), 2);
  EXPECT_EQ(quantity("10E").value(), Limits::max());
  EXPECT_EQ(quantity("-10E").value(), Limits::min());
  EXPECT_EQ(quantity("1e999").milli_value(), Limits::max());
  EXPECT_EQ(quantity("123456789012345678901234567890").scaled_value(15), 123456789012346);
}

TEST(Quantity, IsAnInt64OnlyWhereKubernetesSeesItWithoutEffort) {
  EXPECT_EQ(quantity("2k").as_int64(), 2000);
  EXPECT_EQ(quantity("99Ti").as_int64(), 108851651149824);
  EXPECT_EQ(quantity("100Ti").as_int64(), std::nullopt);
  EXPECT_EQ(quantity("0.5Gi").as_int64(), std::nullopt);
  EXPECT_EQ(quantity("1000m").as_int64(), std::nullopt);
  EXPECT_EQ(quantity("10E").as_int64(), std::nullopt);
  EXPECT_EQ(quantity("1234567890123456789").as_int64(), std::nullopt);
}

// Placement scores are truncated from these, so the last bit decides.
TEST(Quantity, ApproximatesDoublesBitForBit) {
  EXPECT_EQ(quantity("700m").as_approximate_double(), 0.7000000000000001);
  EXPECT_EQ(quantity("3900m").as_approximate_double(), 3.9);
  EXPECT_EQ(quantity("3.9").as_approximate_double(), 3.9000000000000004);
  EXPECT_EQ(quantity("1.1Gi").as_approximate_double(), 1181116006.4000001);
  EXPECT_EQ(quantity("1.7Ti").as_approximate_double(), 1869169767219.2002);
  EXPECT_EQ(quantity("16Gi").as_approximate_double(), 17179869184.0);
  EXPECT_EQ(quantity("1e40").as_approximate_double(), 1e32 * 1e8);
  EXPECT_EQ(quantity("1e400").as_approximate_double(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(quantity("0e400").as_approximate_double(), 0.0);
  EXPECT_EQ(quantity("-12345678901234567890n").as_approximate_double(), -12345678901.234568);
}

TEST(Quantity, ComparesAmountsAcrossScalesAndFormats) {
  constexpr std::array<std::string_view, 15> kAscending = {"-1e999", "-9223372036854775808",
                                                           "-1Ki",   "-1001m",
                                                           "-1",     "-1n",
                                                           "0",      "1n",
                                                           "999m",   "1",
                                                           "1.0001", "1Ki",
                                                           "100Ti",  "10E",
                                                           "1e999"};
  for (std::size_t i = 0; i < kAscending.size(); ++i) {
    for (std::size_t j = 0; j < kAscending.size(); ++j) {
      SCOPED_TRACE(std::string(kAscending[i]) + " and " + std::string(kAscending[j]));
      EXPECT_EQ(quantity(kAscending[i]) <=> quantity(kAscending[j]), i <=> j);
    }
  }
  EXPECT_EQ(quantity("1024Ki"), quantity("1048576"));
  EXPECT_EQ(quantity("0.5Gi"), quantity("512Mi"));
}

TEST(Quantity, AddsAndSubtractsExactlyAndKeepsTheFormatOfTheFirst) {
  EXPECT_EQ((quantity("1") + quantity("1m")).to_string(), "1001m");
  EXPECT_EQ((quantity("1Gi") + quantity("1")).to_string(), "1073741825");
  EXPECT_EQ((quantity("1Gi") + quantity("1G")).to_string(), "2073741824");
  EXPECT_EQ((quantity("0") + quantity("1Gi")).to_string(), "1Gi");
  EXPECT_EQ((quantity("1Gi") - quantity("1Gi")).to_string(), "0");
  EXPECT_EQ((quantity("1Gi") - quantity("2Gi")).to_string(), "-1Gi");
  EXPECT_EQ((quantity("1.5Gi") + quantity("0.5Gi")).to_string(), "2Gi");
  EXPECT_EQ((quantity("9E") + quantity("9E")).to_string(), "18E");
  EXPECT_EQ((quantity("9223372036854775807") + quantity("1")).to_string(), "9223372036854775808");
  EXPECT_EQ((quantity("4Ei") + quantity("4Ei")).to_string(), "8Ei");
  EXPECT_EQ((quantity("1e30") - quantity("1n")).to_string(),
            "999999999999999999999999999999999999999e-9");
}

TEST(Quantity, CopiesAreIndependent) {
  Quantity wide = quantity("123456789012345678901234567890");
  const Quantity copy = wide;
  wide += Quantity(1);
  EXPECT_EQ(copy.to_string(), "123456789012345678901234567890");
  EXPECT_EQ(wide.to_string(), "123456789012345678901234567891");
}

std::string generate_text() {
  const auto digits = rc::gen::container<std::string>(rc::gen::inRange('0', '9'));
  std::string text = *rc::gen::element<std::string>("", "-", "+");
  text += "1" + (*digits).substr(0, 40);
  if (*rc::gen::arbitrary<bool>()) text += "." + (*digits).substr(0, 40);
  return text + *rc::gen::element<std::string>("", "n", "u", "m", "k", "M", "G", "T", "P", "E",
                                               "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "e7", "E-5",
                                               "e33");
}

TEST(Quantity, EveryAmountReadsBackFromItsText) {
  EXPECT_TRUE(rc::check([] {
    const Quantity amount = quantity(generate_text());
    RC_ASSERT(quantity(amount.to_string()) == amount);
    RC_ASSERT(quantity(amount.to_string()).to_string() == amount.to_string());
  }));
}

TEST(Quantity, ArithmeticAndOrderAgree) {
  EXPECT_TRUE(rc::check([] {
    const Quantity a = quantity(generate_text());
    const Quantity b = quantity(generate_text());
    const Quantity c = quantity(generate_text());
    RC_ASSERT(a + b == b + a);
    RC_ASSERT((a + b) + c == a + (b + c));
    RC_ASSERT((a - b) + b == a);
    RC_ASSERT((a <=> b) == ((a - b).sign() <=> 0));
    RC_ASSERT((a <=> b) == (0 <=> (b <=> a)));
    if (a <= b && b <= c) RC_ASSERT(a <= c);
  }));
}

}  // namespace
}  // namespace berth::api

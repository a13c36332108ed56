#include "json/yaml_scalar.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace berth::json {
namespace {

TEST(YamlScalar, KnowsBooleansInThreeSpellings) {
  for (const std::string_view text :
       {"y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on"}) {
    EXPECT_EQ(resolve_plain(text).value.as_bool(), true) << text;
  }
  for (const std::string_view text : {"n", "N", "no", "No", "NO", "false", "False", "OFF", "Off"}) {
    EXPECT_EQ(resolve_plain(text).value.as_bool(), false) << text;
  }
  for (const std::string_view text : {"yES", "tRUE", "oN", "t", "f", "truee"}) {
    EXPECT_EQ(resolve_plain(text).type, YamlType::String) << text;
  }
}

TEST(YamlScalar, KnowsNulls) {
  for (const std::string_view text : {"", "~", "null", "Null", "NULL"}) {
    EXPECT_EQ(resolve_plain(text).type, YamlType::Null) << text;
  }
  EXPECT_EQ(resolve_plain("nULL").type, YamlType::String);
}

TEST(YamlScalar, ReadsIntegersByTheirPrefix) {
  struct Case {
    std::string_view text;
    std::string_view number;
  };
  const Case cases[] = {
      {"0", "0"},
      {"-0", "0"},
      {"+1", "1"},
      {"0644", "420"},
      {"0o644", "420"},
      {"0O7", "7"},
      {"0x1F", "31"},
      {"0X1f", "31"},
      {"-0x1F", "-31"},
      {"0b11", "3"},
      {"0B1", "1"},
      {"-0b11", "-3"},
      {"0b-1", "-1"},
      {"0b+1", "1"},
      {"1_000", "1000"},
      {"1__0", "10"},
      {"1_", "1"},
      {"0_7", "7"},
      {"9223372036854775807", "9223372036854775807"},
      {"-9223372036854775808", "-9223372036854775808"},
      {"18446744073709551615", "18446744073709551615"},
      {"0xffffffffffffffff", "18446744073709551615"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    const YamlScalar scalar = resolve_plain(c.text);
    ASSERT_EQ(scalar.type, YamlType::Integer);
    EXPECT_EQ(scalar.value.number_text(), c.number);
  }
}

TEST(YamlScalar, ReadsFloats) {
  struct Case {
    std::string_view text;
    double number;
  };
  const Case cases[] = {
      {"1.5", 1.5},   {"1.", 1},       {".5", 0.5},
      {"-.5", -0.5},  {"+.5", 0.5},    {"1e3", 1000},
      {"1E+3", 1000}, {"08", 8},       {"0.1e1", 1},
      {"1._5", 1.5},  {"1_0.5", 10.5}, {"18446744073709551616", 18446744073709551616.0},
      {"1e-400", 0},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    const YamlScalar scalar = resolve_plain(c.text);
    ASSERT_EQ(scalar.type, YamlType::Float);
    EXPECT_EQ(scalar.real, c.number);
  }
  EXPECT_EQ(resolve_plain(".inf").real, std::numeric_limits<double>::infinity());
  EXPECT_EQ(resolve_plain("-.Inf").real, -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(resolve_plain(".NaN").real));
}

TEST(YamlScalar, LeavesTheRestAsStrings) {
  for (const std::string_view text :
       {"a",  "1e400", "0x",         "0b",    "0b2", "0o8", "_1",   "._5", ".",
        "+",  "-",     "1:30",       "1.2.3", "--1", "+-1", "0x-1", "1e",  "e3",
        "<<", "=",     "10.0.0.0/8", "0x1p3", "inf", "nan", "0b+-1"}) {
    EXPECT_EQ(resolve_plain(text).type, YamlType::String) << text;
  }
}

TEST(YamlScalar, KnowsTimestamps) {
  for (const std::string_view text :
       {"2024-01-01", "2024-1-1", "2024-02-29", "2024-01-01T00:00:00Z", "2024-01-01t1:2:3.5+01:00",
        "2024-01-01 00:00:00", "2024-01-01 00:00:00.123"}) {
    EXPECT_EQ(resolve_plain(text).type, YamlType::Timestamp) << text;
  }
  for (const std::string_view text :
       {"2024-13-01", "2023-02-29", "2024-01-01T00:00:00", "2024-01-01T24:00:00Z", "24-01-01",
        "2024-01-01 00:00:00Z", "2024-01-01T00:00:00+1:00", "2024-01", "2024-01-01x", "2024-00-01",
        "2024-01-00"}) {
    EXPECT_EQ(resolve_plain(text).type, YamlType::String) << text;
  }
}

TEST(YamlScalar, PrintsFloatsAsGoDoes) {
  struct Case {
    double number;
    std::string_view text;
  };
  const Case cases[] = {{0, "0"},           {-0.0, "-0"},          {1.5, "1.5"},
                        {100000, "100000"}, {1e6, "1e+06"},        {1234567.5, "1.2345675e+06"},
                        {0.0001, "0.0001"}, {1e-5, "1e-05"},       {1e300, "1e+300"},
                        {-2.5, "-2.5"},     {std::nan(""), ".nan"}};
  for (const Case& c : cases) EXPECT_EQ(print_yaml_float(c.number, FloatWidth::Bits64), c.text);
  EXPECT_EQ(print_yaml_float(12345678.9, FloatWidth::Bits32), "1.2345679e+07");
  EXPECT_EQ(print_yaml_float(0.1, FloatWidth::Bits32), "0.1");
  EXPECT_EQ(print_yaml_float(-std::numeric_limits<double>::infinity(), FloatWidth::Bits64),
            "-.inf");
}

}  // namespace
}  // namespace berth::json

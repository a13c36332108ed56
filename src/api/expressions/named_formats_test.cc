#include "api/expressions/named_formats.h"

#include <gtest/gtest.h>

namespace berth::api {
namespace {

bool fits(std::string_view format, std::string_view text) {
  return find_format(format)->check(text).empty();
}

TEST(NamedFormats, AcceptAndRefuse) {
  EXPECT_TRUE(fits("dns1123LabelPrefix", "abc-"));
  EXPECT_FALSE(fits("dns1123Label", "abc-"));
  EXPECT_TRUE(fits("uuid", "123E4567e89b12d3a456426614174000"));
  EXPECT_FALSE(fits("uuid", "123e4567-e89b-12d3-a456-42661417400"));
  EXPECT_TRUE(fits("byte", "aGVs\nbG8="));
  EXPECT_FALSE(fits("byte", "a==="));
  EXPECT_FALSE(fits("date", "2023-02-29"));
  EXPECT_TRUE(fits("datetime", "2024-01-01t00:00:00.5z"));
  EXPECT_FALSE(fits("datetime", "2024-01-01T24:00:00Z"));
}

TEST(NamedFormats, AreFoundByName) {
  EXPECT_EQ(find_format("nope"), nullptr);
  for (const NamedFormat& format : named_formats()) {
    EXPECT_EQ(find_format(format.name)->name, format.name);
  }
}

}  // namespace
}  // namespace berth::api

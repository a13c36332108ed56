#include "api/resource_version.h"

#include <gtest/gtest.h>

namespace berth::api {
namespace {

TEST(ResourceVersion, LongerIsNewerThenDigitByDigit) {
  EXPECT_EQ(compare_resource_versions("9", "10").value(), std::strong_ordering::less);
  EXPECT_EQ(compare_resource_versions("21", "12").value(), std::strong_ordering::greater);
  EXPECT_EQ(compare_resource_versions("12", "12").value(), std::strong_ordering::equal);
  EXPECT_EQ(
      compare_resource_versions("99999999999999999999999", "100000000000000000000000").value(),
      std::strong_ordering::less);
}

TEST(ResourceVersion, OpaqueOnesCannotBeCompared) {
  for (const std::string_view version : {"", "0", "01", "1a", "-1"}) {
    SCOPED_TRACE(version);
    EXPECT_EQ(compare_resource_versions("1", version).error().message,
              "resource version is not well formed: " + std::string(version));
    EXPECT_FALSE(compare_resource_versions(version, "1").ok());
  }
}

}  // namespace
}  // namespace berth::api

#include "api/expressions/semver.h"

#include <gtest/gtest.h>

namespace berth::api {
namespace {

SemanticVersion version(std::string_view text) { return SemanticVersion::parse(text).value(); }

TEST(SemanticVersion, FollowsThePrecedenceOfTheSpecification) {
  const char* ascending[] = {"1.0.0-alpha",  "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta",
                             "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1",       "1.0.0"};
  for (std::size_t i = 1; i < std::size(ascending); ++i) {
    EXPECT_LT(version(ascending[i - 1]), version(ascending[i])) << ascending[i];
  }
  EXPECT_EQ(version("1.0.0+a"), version("1.0.0+b"));
}

TEST(SemanticVersion, PrintsWhatItRead) {
  EXPECT_EQ(version("1.2.3-rc.1+build.5").to_string(), "1.2.3-rc.1+build.5");
}

TEST(SemanticVersion, IsStrictUnlessNormalized) {
  EXPECT_FALSE(SemanticVersion::parse("v1.2").ok());
  EXPECT_EQ(SemanticVersion::parse_normalized("v1.02")->to_string(), "1.2.0");
  EXPECT_EQ(SemanticVersion::parse_normalized("1")->to_string(), "1.0.0");
  EXPECT_FALSE(SemanticVersion::parse_normalized("1.2-rc").ok());
  EXPECT_FALSE(SemanticVersion::parse_normalized("").ok());
}

}  // namespace
}  // namespace berth::api

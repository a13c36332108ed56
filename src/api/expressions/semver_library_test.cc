#include "api/expressions/testing/cluster_case.h"

namespace berth::api {
namespace {

using cel::testing::ExpressionCase;
using testing::expect_for_cluster;

TEST(SemverLibrary, ReadsStrictVersions) {
  const ExpressionCase cases[] = {
      {R"(semver("1.2.3"))", "1.2.3", 1},
      {R"(semver("v1.2.3"))", R"(!Invalid character(s) found in major number "v1")", 1},
      {R"(semver("1.2"))", "!No Major.Minor.Patch elements found", 1},
      {R"(semver("1.2.3-rc.1+b"))", "1.2.3-rc.1+b", 1},
      {R"(semver("01.2.3"))", R"(!Major number must not contain leading zeroes "01")", 1},
      {R"(semver("1.2.x"))", R"(!Invalid character(s) found in patch number "x")", 1},
      {R"(semver(""))", "!Version string empty", 1},
      {R"(semver("1.2.3-01"))",
       R"(!Numeric PreRelease version must not contain leading zeroes "01")", 1},
      {R"(semver("1.2.3-a..b"))", "!Prerelease is empty", 1},
      {R"(semver("1.2.3+"))", "!Build meta data is empty", 1},
      {R"(isSemver("1.2.3"))", "true", 1},
      {R"(isSemver("1.2"))", "false", 1},
      {R"(isSemver("v1.0.0"))", "false", 1},
      {R"(semver("1.2.3").major())", "1", 2},
      {R"(semver("1.2.3").minor())", "2", 2},
      {R"(semver("1.2.3").patch())", "3", 2},
      {R"(semver("1.2.3").isGreaterThan(semver("1.2.2")))", "true", 3},
      {R"(semver("1.2.3-rc.1").isLessThan(semver("1.2.3")))", "true", 3},
      {R"(semver("1.2.3-rc.2").compareTo(semver("1.2.3-rc.10")))", "-1", 3},
      {R"(semver("1.2.3-alpha").compareTo(semver("1.2.3-1")))", "1", 3},
      {R"(semver("1.2.3+a") == semver("1.2.3+b"))", "true", 3},
  };
  expect_for_cluster(cases);
}

}  // namespace
}  // namespace berth::api

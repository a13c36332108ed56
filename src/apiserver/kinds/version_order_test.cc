#include "apiserver/kinds/version_order.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace berth::apiserver {
namespace {

TEST(VersionOrder, StableBeforeBetaBeforeAlphaBeforeOthers) {
  const std::vector<std::string> expected = {
      "v11",       "v2",   "v1",    "v11beta2", "v10beta3", "v3beta1", "v12alpha1",
      "v11alpha2", "foo1", "foo10", "v",        "v1beta",   "v1gamma1"};
  std::vector<std::string> versions = expected;
  std::ranges::sort(versions);
  std::ranges::sort(versions, is_preferred_version);
  EXPECT_EQ(versions, expected);
}

TEST(VersionOrder, NumbersThatFitNoIntegerAreNoVersions) {
  EXPECT_TRUE(is_preferred_version("v1alpha1", "v99999999999999999999999"));
  EXPECT_FALSE(is_preferred_version("v1", "v1"));
}

}  // namespace
}  // namespace berth::apiserver
